/// \file  Lines of C as a compiler joins them and finds comments in them. Layer 3 (program).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::detail {

/// `text` without the blanks that it begins with.
[[nodiscard]] std::string_view trim_left(std::string_view text);

/// Takes one line off `text`. Compilers end a line at "\n", "\r\n" and "\r".
std::string_view take_line(std::string_view& text);

/// What stands before a backslash that joins a line with the next; nothing when it has none. Compilers look past blanks
/// after it.
[[nodiscard]] std::optional<std::string_view> before_splice(std::string_view line);

/// A line as the compiler sees it, and the lines of the file that it was written on.
struct LogicalLine {
  std::vector<std::string_view> written;
  std::string joined;
};

LogicalLine take_logical_line(std::string_view& text);

/// Where the literal that begins at `begin` of `line` ends.
[[nodiscard]] std::size_t end_of_literal(std::string_view line, std::size_t begin);

[[nodiscard]] constexpr bool is_quote(char c) noexcept { return c == '"' || c == '\''; }

/// True for what a name may have within everywhere; some compilers take '$' too.
[[nodiscard]] constexpr bool is_word_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The name, or the number, that `text` begins with.
[[nodiscard]] std::string_view first_word(std::string_view text);

/// A logical line with a blank in each comment's place.
struct Code {
  std::string text;
  std::optional<unsigned char> foreign;  ///< the first byte outside of literals that is not ASCII
};

/// Follows comments over lines.
class CommentTracker {
 public:
  [[nodiscard]] bool inside() const noexcept { return inside_; }

  [[nodiscard]] Code code_of(std::string_view line);

 private:
  bool inside_ = false;
};

struct Directive {
  std::string_view word;
  std::string_view rest;
};

/// The directive that `code` is, in either spelling of `#`.
[[nodiscard]] std::optional<Directive> parse_directive(std::string_view code);

}  // namespace anycl::detail
