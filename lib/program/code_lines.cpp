#include "program/code_lines.hpp"

#include <algorithm>

namespace anycl::detail {
namespace {

constexpr std::string_view kBlanks = " \t\v\f";

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

std::string_view trim_left(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, text.size()));
  return line;
}

std::optional<std::string_view> before_splice(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  if (!line.ends_with('\\')) return std::nullopt;
  return line.substr(0, line.size() - 1);
}

LogicalLine take_logical_line(std::string_view& text) {
  LogicalLine line;
  do {
    line.written.push_back(take_line(text));
    const auto joins_next = before_splice(line.written.back());
    line.joined += joins_next.value_or(line.written.back());
    if (!joins_next) break;
  } while (!text.empty());
  return line;
}

std::size_t end_of_literal(std::string_view line, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i < line.size() && line[i] != line[begin]) i += line[i] == '\\' ? 2 : 1;
  return std::min(i + 1, line.size());
}

std::string_view first_word(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_word_character) - text.begin();
  return text.substr(0, static_cast<std::size_t>(end));
}

Code CommentTracker::code_of(std::string_view line) {
  Code code;
  for (std::size_t i = 0; i < line.size();) {
    const std::string_view rest = line.substr(i);
    if (inside_) {
      i = std::min(line.find("*/", i), line.size());
      inside_ = i == line.size();
      if (!inside_) i += 2;
    } else if (rest.starts_with("/*")) {
      inside_ = true;
      code.text += ' ';
      i += 2;
    } else if (rest.starts_with("//")) {
      break;
    } else {
      const std::size_t end = is_quote(rest.front()) ? end_of_literal(line, i) : i + 1;
      if (!is_quote(rest.front()) && !is_ascii(rest.front()) && !code.foreign)
        code.foreign = static_cast<unsigned char>(rest.front());
      code.text += line.substr(i, end - i);
      i = end;
    }
  }
  return code;
}

std::optional<Directive> parse_directive(std::string_view code) {
  code = trim_left(code);
  for (const std::string_view mark : {"#", "%:"}) {
    if (!code.starts_with(mark)) continue;
    code = trim_left(code.substr(mark.size()));
    const std::string_view word = first_word(code);
    return Directive{word, trim_left(code.substr(word.size()))};
  }
  return std::nullopt;
}

}  // namespace anycl::detail
