#include "program/include_expander.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"

namespace anycl::detail {
namespace {

constexpr std::string_view kBlanks = " \t\v\f";
constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // includes can grow a text without bound
constexpr std::size_t kMostDepth = 64;

std::string_view trim_left(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// Takes one line off `text`. Compilers end a line at "\n", "\r\n" and "\r".
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, text.size()));
  return line;
}

/// What stands before a backslash that joins a line with the next; nothing when it has none. Compilers look past blanks
/// after it.
std::optional<std::string_view> before_splice(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  if (!line.ends_with('\\')) return std::nullopt;
  return line.substr(0, line.size() - 1);
}

/// A line as the compiler sees it, and the lines of the file that it was written on.
struct LogicalLine {
  std::vector<std::string_view> written;
  std::string joined;
};

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

/// A logical line with a blank in each comment's place.
struct Code {
  std::string text;
  std::optional<unsigned char> foreign;  ///< the first byte outside of literals that is not ASCII
};

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_quote(char c) { return c == '"' || c == '\''; }

/// Follows comments over lines.
class CommentTracker {
 public:
  [[nodiscard]] bool inside() const noexcept { return inside_; }

  [[nodiscard]] Code code_of(std::string_view line) {
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

 private:
  static std::size_t end_of_literal(std::string_view line, std::size_t begin) {
    std::size_t i = begin + 1;
    while (i < line.size() && line[i] != line[begin]) i += line[i] == '\\' ? 2 : 1;
    return std::min(i + 1, line.size());
  }

  bool inside_ = false;
};

struct Directive {
  std::string_view word;
  std::string_view rest;
};

/// The directive that `code` is, in either spelling of `#`.
std::optional<Directive> parse_directive(std::string_view code) {
  code = trim_left(code);
  for (const std::string_view mark : {"#", "%:"}) {
    if (!code.starts_with(mark)) continue;
    code = trim_left(code.substr(mark.size()));
    const auto not_in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_'; };
    const auto end = std::find_if(code.begin(), code.end(), not_in_word) - code.begin();
    return Directive{code.substr(0, static_cast<std::size_t>(end)),
                     trim_left(code.substr(static_cast<std::size_t>(end)))};
  }
  return std::nullopt;
}

/// Those that have the compiler read a file, and `#pragma once`.
bool is_ours(const Directive& directive) {
  constexpr std::array<std::string_view, 4> kReading{"include", "include_next", "import", "embed"};
  return std::find(kReading.begin(), kReading.end(), directive.word) != kReading.end() ||
         (directive.word == "pragma" && directive.rest.starts_with("once"));
}

/// The name in `"name"` or `<name>`.
std::optional<std::string_view> quoted_name(std::string_view text) {
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return std::nullopt;
  const auto end = text.find(text.front() == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(1, end - 1);
}

/// `text` between quotes in a directive, such that it ends where the quotes do.
std::string in_quotes(std::string_view text) {
  std::string safe(text);
  std::replace_if(
      safe.begin(), safe.end(), [](char c) { return c == '"' || c == '\\' || c == '\n' || c == '\r'; }, '_');
  return fmt::format("\"{}\"", safe);
}

std::string line_marker(std::size_t number, std::string_view name) {
  return fmt::format("#line {} {}\n", number, in_quotes(name));
}

/// What in `code` makes a compiler look for a file without a directive that reads it. Literals count: _Pragma takes one.
std::optional<std::string_view> question_about_files(std::string_view code) {
  for (const std::string_view word : {"__has_include", "__has_embed"})
    if (code.find(word) != std::string_view::npos) return word;
  constexpr std::string_view kCompiler = "GCC";
  for (auto at = code.find(kCompiler); at != std::string_view::npos; at = code.find(kCompiler, at + 1))
    if (trim_left(code.substr(at + kCompiler.size())).starts_with("dependency")) return "#pragma GCC dependency";
  return std::nullopt;
}

/// \param place  where `code` stands, for the error text
void check_asks_for_no_files(std::string_view code, std::string_view place) {
  if (const auto question = question_about_files(code))
    throw InvalidArgument(fmt::format("{}: {} is not supported: it asks for files of the machine", place, *question));
}

/// Compilers disagree on whether these three characters stand for one, and with it on where comments end.
bool has_trigraph(std::string_view line) {
  for (auto at = line.find("?\?"); at != std::string_view::npos && at + 2 < line.size(); at = line.find("?\?", at + 1))
    if (std::string_view("=/'").find(line[at + 2]) != std::string_view::npos) return true;
  return false;
}

class Expander {
 public:
  explicit Expander(const Source& source) : source_(source) {}

  void add(std::string_view name, std::string_view text) {
    if (text.find('\0') != std::string_view::npos)
      throw InvalidArgument(fmt::format("{}: kernel source has a zero byte", name));
    chain_.push_back(name);
    result_ += line_marker(1, name);
    CommentTracker comments;
    std::size_t number = 1;
    while (!text.empty()) {
      const LogicalLine line = take_logical_line(text);
      const bool began_inside = comments.inside();
      const Code code = comments.code_of(line.joined);
      check(line, code, number);
      const auto directive = parse_directive(code.text);
      if (directive && is_ours(*directive)) {
        if (began_inside) result_ += "*/\n";
        obey(*directive, name, number);
        result_ += line_marker(number + line.written.size(), name);
        if (comments.inside()) result_ += "/*";
      } else {
        for (const std::string_view written : line.written) (result_ += written) += '\n';
        if (text.empty() && before_splice(line.written.back())) result_ += '\n';  // nothing of ours is joined to it
      }
      number += line.written.size();
    }
    if (comments.inside()) throw InvalidArgument(fmt::format("{}: a comment is not closed", name));
    chain_.pop_back();
  }

  [[nodiscard]] std::string take() { return std::move(result_); }

 private:
  /// Refuses what compilers may read in another way than we do, and what has them look for files.
  void check(const LogicalLine& line, const Code& code, std::size_t number) const {
    const auto place = [&] { return fmt::format("{}:{}", chain_.back(), number); };
    if (has_trigraph(line.joined)) throw InvalidArgument(place() + ": trigraphs are not supported");
    if (code.foreign)
      throw InvalidArgument(fmt::format(
          "{}: byte {:#x} is not ASCII; only comments and literals may have such characters", place(), *code.foreign));
    check_asks_for_no_files(code.text, place());
    if (result_.size() + line.joined.size() > kMostBytes)
      throw InvalidArgument(
          fmt::format("{}: the text with its includes is over {} bytes (chain: {})", place(), kMostBytes, chain()));
  }

  void obey(const Directive& directive, std::string_view name, std::size_t number) {
    if (directive.word == "pragma") {
      once_.insert(name);
      return;
    }
    if (directive.word != "include") refuse(directive.word, directive.rest, number, "is not supported; use #include");
    const auto wanted = quoted_name(directive.rest);
    if (!wanted) refuse(directive.word, directive.rest, number, "is not of the form \"file\" or <file>");
    add_include(*wanted, number);
  }

  void add_include(std::string_view wanted, std::size_t number) {
    const EmbeddedFile* found = find(beside(chain_.back(), wanted));
    if (found == nullptr) found = find(wanted);
    if (found == nullptr) return add_error(wanted, number);
    if (once_.contains(found->path)) return;
    if (std::find(chain_.begin(), chain_.end(), found->path) != chain_.end())
      refuse("include", wanted, number, "includes itself; put #pragma once into it");
    if (chain_.size() == kMostDepth)
      refuse("include", wanted, number, fmt::format("is nested deeper than {} files", kMostDepth));
    add(found->path, found->text);
  }

  /// A file that is not there matters only to a compiler that gets so far: headers shared with the host have includes
  /// that kernels skip.
  void add_error(std::string_view wanted, std::size_t number) {
    result_ += line_marker(number, chain_.back());
    result_ += fmt::format("#error include {} is not among the embedded files, chain {}\n", in_quotes(wanted),
                           in_quotes(chain()));
  }

  [[nodiscard]] const EmbeddedFile* find(std::string_view path) const {
    for (const EmbeddedFile& file : source_.files())
      if (file.path == path) return &file;
    return nullptr;
  }

  /// `wanted` as seen from the folder of `from`.
  static std::string beside(std::string_view from, std::string_view wanted) {
    return (std::filesystem::path(from).parent_path() / wanted).lexically_normal().generic_string();
  }

  [[noreturn]] void refuse(std::string_view word, std::string_view wanted, std::size_t number,
                           std::string_view why) const {
    throw InvalidArgument(
        fmt::format("{}:{}: #{} {} {} (chain: {})", chain_.back(), number, word, wanted, why, chain()));
  }

  [[nodiscard]] std::string chain() const { return fmt::format("{}", fmt::join(chain_, " -> ")); }

  const Source& source_;
  std::string result_;
  std::vector<std::string_view> chain_;
  std::set<std::string_view> once_;
};

std::string_view nth_line(std::string_view text, std::size_t number) {
  for (; number > 1 && !text.empty(); --number) static_cast<void>(take_line(text));
  return take_line(text);
}

}  // namespace

std::string expand(const Source& source, const BuildOptions& options) {
  std::string text;
  for (const auto& [name, value] : options.defines()) {
    check_asks_for_no_files(value, fmt::format("define {}", name));
    text += fmt::format("#define {} {}\n", name, value);
  }
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
