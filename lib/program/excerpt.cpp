#include "program/excerpt.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/plain_line.hpp"
#include "program/include_expander.hpp"

namespace anycl::detail {
namespace {

constexpr std::size_t kMostShown = 160;  // bytes
constexpr std::size_t kBeforeColumn = 100;
constexpr std::string_view kCut = "...";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Where a part of `line` can begin or end: not within a character.
std::size_t whole_character(std::string_view line, std::size_t at) {
  while (at > 0 && at < line.size() && continues_character(line[at])) --at;
  return at;
}

/// `plain_line` of text that has tabs.
std::string shown(std::string_view text) {
  std::string result;
  for (std::size_t tab = text.find('\t'); tab != std::string_view::npos; tab = text.find('\t')) {
    result += plain_line(text.substr(0, tab)) + '\t';
    text.remove_prefix(tab + 1);
  }
  return result + plain_line(text);
}

/// As wide as `text` is when shown, if each character takes one column.
std::string blanks_for(std::string_view text) {
  std::string blanks;
  for (const char c : text)
    if (!continues_character(c)) blanks += c == '\t' ? '\t' : ' ';
  return blanks;
}

}  // namespace

std::string excerpt(std::string_view line, std::size_t column) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  const bool has_caret = column > 0 && column <= line.size() + 1;  // a compiler may miss something behind the end
  const std::size_t wanted = has_caret && column > kBeforeColumn ? column - kBeforeColumn : 0;
  const std::size_t begin = line.size() > kMostShown ? whole_character(line, wanted) : 0;
  const std::size_t end = whole_character(line, std::min(begin + kMostShown, line.size()));
  const std::string_view front = begin > 0 ? kCut : "";
  const std::string text =
      fmt::format("  {}{}{}", front, shown(line.substr(begin, end - begin)), end < line.size() ? kCut : "");
  if (!has_caret) return text;
  const std::string before = shown(line.substr(begin, column - 1 - begin));
  return fmt::format("{}\n  {}{}^", text, blanks_for(front), blanks_for(before));
}

void add_excerpts(std::vector<BuildMessage>& messages, const Source& source) {
  for (BuildMessage& message : messages)
    if (const std::string_view line = source_line(source, message.file, message.line); !line.empty())
      message.excerpt = excerpt(line, message.column);
}

}  // namespace anycl::detail
