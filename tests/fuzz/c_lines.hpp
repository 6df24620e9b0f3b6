/// \file  C text as a compiler sees it after translation phases 2 and 3: an oracle for what lib/ says about it, written
/// another way on purpose (the whole text at once instead of line by line).
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::fuzz {

inline constexpr std::string_view kCBlanks = " \t\v\f";

/// Line ends of every kind become "\n".
inline std::string with_plain_line_ends(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    plain += text[i] == '\r' ? '\n' : text[i];
  }
  return plain;
}

/// Phase 2: a backslash before a line end joins lines. Blanks may stand between, as gcc and clang have it.
inline std::string joined(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const auto next = text.find_first_not_of(kCBlanks, i + 1);
      if (next != std::string_view::npos && text[next] == '\n') {
        i = next;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

struct CLines {
  std::vector<std::string> lines;  ///< each comment a blank
  bool open_comment = false;       ///< the text ends inside a comment
};

/// Phase 3, as far as comments go.
inline CLines without_comments(std::string_view text) {
  enum class In { code, line_comment, comment, literal } in = In::code;
  char quote = 0;
  CLines result;
  result.lines.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\n') {
      if (in != In::comment) in = In::code;  // a literal that is not closed ends with its line
      result.lines.emplace_back();
    } else if (in == In::comment) {
      if (c == '*' && next == '/') in = In::code, ++i;
    } else if (in == In::literal) {
      result.lines.back() += c;
      if (c == '\\' && next != '\n' && next != '\0') result.lines.back() += text[++i];
      if (c == quote) in = In::code;
    } else if (in == In::code) {
      if (c == '/' && (next == '/' || next == '*')) {
        in = next == '/' ? In::line_comment : In::comment;
        result.lines.back() += ' ';
        ++i;
        continue;
      }
      if (c == '"' || c == '\'') in = In::literal, quote = c;
      result.lines.back() += c;
    }
  }
  result.open_comment = in == In::comment;
  return result;
}

inline CLines c_lines(std::string_view text) { return without_comments(joined(with_plain_line_ends(text))); }

inline std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kCBlanks), text.size()));
}

/// The word of the directive on a line of CLines, "include"; empty when it holds none.
inline std::string_view directive_of(std::string_view line) {
  line = without_blanks_before(line);
  if (!line.starts_with("#") && !line.starts_with("%:")) return {};
  line = without_blanks_before(line.substr(line.front() == '#' ? 1 : 2));
  constexpr std::string_view kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return line.substr(0, line.find_first_not_of(kWord));
}

/// True if a compiler would open a file for this line.
inline bool reads_a_file(std::string_view line) {
  constexpr std::array<std::string_view, 4> kReading{"include", "include_next", "import", "embed"};
  return std::find(kReading.begin(), kReading.end(), directive_of(line)) != kReading.end();
}

/// The names on a line of CLines, literals left out, and "##" for the operator in either spelling.
inline std::vector<std::string> names_on(std::string_view line) {
  constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  std::vector<std::string> names;
  while (!line.empty()) {
    const char c = line.front();
    std::size_t size = std::max<std::size_t>(1, std::min(line.find_first_not_of(kName), line.size()));
    if (c == '"' || c == '\'') {
      for (size = 1; size < line.size() && line[size] != c; ++size)
        if (line[size] == '\\') ++size;
      size = std::min(size + 1, line.size());
    } else if (kName.find(c) != std::string_view::npos) {
      names.emplace_back(line.substr(0, size));
    } else if (line.starts_with("##") || line.starts_with("%:%:")) {
      names.emplace_back("##");
      size = line.starts_with("##") ? 2 : 4;
    }
    line.remove_prefix(size);
  }
  return names;
}

/// True if a compiler may ask for a file because of one of these names, or one that ## makes with it in front.
inline bool may_ask_for_a_file(const std::vector<std::string>& names) {
  const bool pasting = std::find(names.begin(), names.end(), "##") != names.end();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto begins = [&](std::string_view word) { return name.size() < word.size() && word.starts_with(name); };
    return name.starts_with("__has_include") || name.starts_with("__has_embed") || name == "asm" || name == "__asm" ||
           name == "__asm__" || (pasting && (begins("__has_include") || begins("__has_embed") || begins("_Pragma")));
  });
}

}  // namespace anycl::fuzz
