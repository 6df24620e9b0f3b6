#include "program/include_expander.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"

namespace anycl::detail {
namespace {

std::string_view trim_left(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// What stands after `#word` on a directive line.
std::optional<std::string_view> directive(std::string_view line, std::string_view word) {
  line = trim_left(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = trim_left(line.substr(1));
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  if (!line.empty() && (std::isalnum(static_cast<unsigned char>(line.front())) != 0 || line.front() == '_'))
    return std::nullopt;
  return trim_left(line);
}

/// The name in `"name"` or `<name>`.
std::optional<std::string_view> quoted_name(std::string_view text) {
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return std::nullopt;
  const auto end = text.find(text.front() == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(1, end - 1);
}

/// Follows comments that span lines, so that an `#include` inside one is left alone.
class CommentTracker {
 public:
  [[nodiscard]] bool inside() const noexcept { return inside_; }

  void pass(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view rest = line.substr(i);
      if (inside_) {
        if (rest.starts_with("*/")) inside_ = false, ++i;
      } else if (rest.starts_with("/*")) {
        inside_ = true, ++i;
      } else if (rest.starts_with("//")) {
        return;
      } else if (rest.front() == '"' || rest.front() == '\'') {
        i = end_of_literal(line, i);
      }
    }
  }

 private:
  static std::size_t end_of_literal(std::string_view line, std::size_t begin) {
    std::size_t i = begin + 1;
    while (i < line.size() && line[i] != line[begin]) i += line[i] == '\\' ? 2 : 1;
    return i;
  }

  bool inside_ = false;
};

/// A file name as it may stand in a `#line` directive.
std::string line_marker(std::size_t number, std::string_view name) {
  std::string safe(name);
  std::replace_if(safe.begin(), safe.end(), [](char c) { return c == '"' || c == '\\' || c == '\n' || c == '\r'; }, '_');
  return fmt::format("#line {} \"{}\"\n", number, safe);
}

class Expander {
 public:
  explicit Expander(const Source& source) : source_(source) {}

  void add(std::string_view name, std::string_view text) {
    chain_.push_back(name);
    result_ += line_marker(1, name);
    CommentTracker comments;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line = text.substr(begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = end + 1;
      ++number;
      const bool commented = comments.inside();
      comments.pass(line);
      if (!commented && add_directive(line, name, number)) continue;
      result_ += line;
      result_ += '\n';
    }
    chain_.pop_back();
  }

  [[nodiscard]] std::string take() { return std::move(result_); }

 private:
  /// True when `line` was a directive of ours and has been dealt with.
  bool add_directive(std::string_view line, std::string_view name, std::size_t number) {
    if (const auto pragma = directive(line, "pragma"); pragma && pragma->starts_with("once")) {
      once_.insert(name);
      result_ += '\n';
      return true;
    }
    const auto rest = directive(line, "include");
    if (!rest) return false;
    const auto wanted = quoted_name(*rest);
    if (!wanted) refuse(*rest, number, "is not of the form \"file\" or <file>");
    add_include(*wanted, number);
    result_ += line_marker(number + 1, name);
    return true;
  }

  void add_include(std::string_view wanted, std::size_t number) {
    const auto found = std::find_if(source_.files().begin(), source_.files().end(),
                                    [&](const EmbeddedFile& file) { return file.path == wanted; });
    if (found == source_.files().end()) refuse(wanted, number, "is not among the embedded files");
    if (once_.contains(found->path)) return;
    if (std::find(chain_.begin(), chain_.end(), found->path) != chain_.end())
      refuse(wanted, number, "includes itself; put #pragma once into it");
    add(found->path, found->text);
  }

  [[noreturn]] void refuse(std::string_view wanted, std::size_t number, std::string_view why) const {
    throw InvalidArgument(fmt::format("{}:{}: #include {} {} (chain: {})", chain_.back(), number, wanted, why,
                                      fmt::join(chain_, " -> ")));
  }

  const Source& source_;
  std::string result_;
  std::vector<std::string_view> chain_;
  std::set<std::string_view> once_;
};

std::string_view nth_line(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string expand(const Source& source, const BuildOptions& options) {
  if (source.text().find('\0') != std::string_view::npos)
    throw InvalidArgument(fmt::format("{}: kernel source has a zero byte", source.name()));
  std::string text;
  for (const auto& [name, value] : options.defines()) text += fmt::format("#define {} {}\n", name, value);
  Expander expander(source);
  expander.add(source.name(), source.text());
  return text + expander.take();
}

std::string_view source_line(const Source& source, std::string_view file, std::size_t number) {
  if (number == 0) return {};
  if (file == source.name()) return nth_line(source.text(), number);
  for (const EmbeddedFile& candidate : source.files())
    if (candidate.path == file) return nth_line(candidate.text, number);
  return {};
}

}  // namespace anycl::detail
