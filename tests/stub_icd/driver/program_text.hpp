/// \file  From the text of a program to the words that a compiler would see.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::stub {

/// Where something stands, after `#line`.
struct Place {
  std::string file = "<source>";
  std::size_t line = 1;
  std::size_t column = 1;
};

struct Token {
  enum class Kind { word, number, text, mark };

  Kind kind = Kind::mark;
  std::string text;
  Place place;
  bool starts_line = false;
  bool after_blank = false;
};

/// Why a program cannot be built.
struct SourceError {
  Place place;
  std::string message;
};

/// Cuts `source` into tokens; comments and joined lines are gone. No directive is obeyed yet.
/// \throws SourceError  for a comment or a string that does not end.
[[nodiscard]] std::vector<Token> scan(std::string_view source);

/// The tokens of `source` after its directives, with `-D` definitions out of `options`. Macros without parameters are
/// replaced; those with parameters stay as they are. Of conditions, `defined`, numbers and single names are understood;
/// others count as true. \throws SourceError  for `#error`, and for what `scan` refuses.
[[nodiscard]] std::vector<Token> preprocess(std::string_view source, std::string_view options);

/// \throws SourceError  for a bracket without its partner, and for a word that begins with `undeclared`.
void check_tokens(const std::vector<Token>& tokens);

}  // namespace anycl::stub
