#include "program/file_questions.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "program/code_lines.hpp"

namespace anycl::detail {
namespace {

constexpr std::array<std::string_view, 2> kQuestions{"__has_include", "__has_embed"};  // others begin with these
constexpr std::array<std::string_view, 3> kAssembly{"asm", "__asm", "__asm__"};
constexpr std::string_view kPragmaOperator = "_Pragma";
constexpr std::array<std::string_view, 2> kPragmaFamilies{"GCC", "clang"};
constexpr std::array<std::string_view, 2> kPragmaWords{"dependency", "module"};

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_stem(std::string_view word, std::string_view whole) {
  return word.size() < whole.size() && whole.starts_with(word);
}

template <std::size_t N>
bool is_stem_of_one(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view whole) { return is_stem(word, whole); });
}

[[noreturn]] void refuse(const TextPlace& place, std::string_view what) {
  throw InvalidArgument(
      fmt::format("{}: {} is not supported: it asks for files of the machine", place.to_string(), what));
}

void check_pragma(std::string_view text, const TextPlace& place) {
  const std::string_view family = first_word(trim_left(text));
  if (!is_among(family, kPragmaFamilies)) return;
  const std::string_view word = first_word(trim_left(trim_left(text).substr(family.size())));
  if (is_among(word, kPragmaWords)) refuse(place, fmt::format("#pragma {} {}", family, word));
}

/// What stands between the quotes may be the text of a pragma; comments are comments there too.
void check_literal(std::string_view literal, const TextPlace& place) {
  if (literal.size() >= 2) check_pragma(CommentTracker().code_of(literal.substr(1, literal.size() - 2)).text, place);
}

/// True for what follows a _Pragma that says in the text what it is.
bool is_literal_in_brackets(std::string_view text) {
  text = trim_left(text);
  if (!text.starts_with('(')) return false;
  text = trim_left(text.substr(1));
  if (!text.starts_with('"')) return false;
  return trim_left(text.substr(end_of_literal(text, 0))).starts_with(')');
}

}  // namespace

std::string TextPlace::to_string() const { return line == 0 ? std::string(name) : fmt::format("{}:{}", name, line); }

void FileQuestions::read(std::string_view code, const TextPlace& place) {
  if (const auto directive = parse_directive(code); directive && directive->word == "pragma")
    check_pragma(directive->rest, place);
  for (std::size_t i = 0; i < code.size();) {
    const std::string_view rest = code.substr(i);
    std::size_t size = 1;
    if (is_quote(rest.front())) {
      size = end_of_literal(rest, 0);
      check_literal(rest.substr(0, size), place);
    } else if (is_word_character(rest.front())) {
      const std::string_view word = first_word(rest);
      size = word.size();
      read_word(word, rest.substr(size), place);
    } else if (rest.starts_with("##") || rest.starts_with("%:%:")) {
      if (!pasting_) pasting_ = Seen{"##", place.to_string()};
    }
    i += size;
  }
  refuse_combinations(place);
}

std::string_view FileQuestions::prologue() const noexcept {
  if (!pasting_) return {};
  return "#define asm inline_assembly_is_not_supported\n"
         "#define __asm inline_assembly_is_not_supported\n"
         "#define __asm__ inline_assembly_is_not_supported\n";
}

void FileQuestions::read_word(std::string_view word, std::string_view rest, const TextPlace& place) {
  for (const std::string_view question : kQuestions)
    if (word.starts_with(question)) refuse(place, word);
  if (is_among(word, kAssembly))
    throw InvalidArgument(
        fmt::format("{}: {} is not supported: inline assembly is not OpenCL C, and can read files of the machine",
                    place.to_string(), word));
  const auto note = [&](std::optional<Seen>& seen) {
    if (!seen) seen = Seen{std::string(word), place.to_string()};
  };
  if (is_stem_of_one(word, kQuestions) || is_stem(word, kPragmaOperator)) note(stem_);
  if (word == kPragmaOperator && !is_literal_in_brackets(rest)) note(computed_pragma_);
  if (is_among(word, kPragmaWords)) note(pragma_word_);
  if (is_stem_of_one(word, kPragmaWords)) note(pragma_word_stem_);
}

void FileQuestions::refuse_combinations(const TextPlace& place) const {
  if (pasting_ && stem_)
    throw InvalidArgument(
        fmt::format("{}: ## ({}) could make a word that asks for files of the machine from '{}' ({}); rename that",
                    place.to_string(), pasting_->place, stem_->word, stem_->place));
  if (!computed_pragma_) return;
  const auto& word = pragma_word_ || !pasting_ ? pragma_word_ : pragma_word_stem_;
  if (word)
    throw InvalidArgument(
        fmt::format("{}: _Pragma ({}) could ask for files of the machine with '{}' ({}); write the text of _Pragma out "
                    "between quotes",
                    place.to_string(), computed_pragma_->place, word->word, word->place));
}

}  // namespace anycl::detail
