#include "program/include_expander.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "program/code_lines.hpp"
#include "program/kernel_path.hpp"

namespace anycl::detail {
namespace {

constexpr std::size_t kMostDepth = 64;

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

/// `name` such that it can stand between the quotes of a directive, and in a line of a message.
std::string plain_name(std::string_view name) {
  std::string plain(name);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == '"' || c == '\\' || (c >= '\0' && c < ' ') || c == '\x7f'; },
      '_');
  return plain;
}

std::string line_marker(std::size_t number, std::string_view name) {
  return fmt::format("#line {} \"{}\"\n", number, name);
}

/// Compilers disagree on whether these three characters stand for one, and with it on where comments end.
bool has_trigraph(std::string_view line) {
  for (auto at = line.find("?\?"); at != std::string_view::npos && at + 2 < line.size(); at = line.find("?\?", at + 1))
    if (std::string_view("=/'").find(line[at + 2]) != std::string_view::npos) return true;
  return false;
}

class Expander {
 public:
  explicit Expander(std::span<const IncludePlace* const> places) : places_(places) {}

  void add(IncludedFile file) {
    file.name = plain_name(file.name);
    if (file.text.find('\0') != std::string_view::npos)
      throw InvalidArgument(fmt::format("{}: kernel source has a zero byte", file.name));
    if (known_.insert(file.identity).second) result_.files.push_back({file.name, file.text, file.owner});
    chain_.push_back(std::move(file));
    add_lines(chain_.back().text);
    chain_.pop_back();
  }

  [[nodiscard]] ExpandedSource take() { return std::move(result_); }

 private:
  void add_lines(std::string_view text) {
    const std::string name = chain_.back().name;
    result_.text += line_marker(1, name);
    CommentTracker comments;
    std::size_t number = 1;
    while (!text.empty()) {
      const LogicalLine line = take_logical_line(text);
      const bool began_inside = comments.inside();
      const Code code = comments.code_of(line.joined);
      check(line, code, number);
      const auto directive = parse_directive(code.text);
      if (directive && is_ours(*directive)) {
        if (began_inside) result_.text += "*/\n";
        obey(*directive, number);
        result_.text += line_marker(number + line.written.size(), name);
        if (comments.inside()) result_.text += "/*";
      } else {
        for (const std::string_view written : line.written) (result_.text += written) += '\n';
        if (text.empty() && before_splice(line.written.back()))
          result_.text += '\n';  // nothing of ours is joined to it
      }
      number += line.written.size();
    }
    if (comments.inside()) throw InvalidArgument(fmt::format("{}: a comment is not closed", name));
  }

  /// Refuses what compilers may read in another way than we do, and what has them look for files.
  void check(const LogicalLine& line, const Code& code, std::size_t number) {
    const TextPlace place{chain_.back().name, number};
    if (has_trigraph(line.joined)) throw InvalidArgument(place.to_string() + ": trigraphs are not supported");
    if (code.foreign)
      throw InvalidArgument(
          fmt::format("{}: byte {:#x} is not ASCII; only comments and literals may have such characters",
                      place.to_string(), *code.foreign));
    result_.questions.read(code.text, place);
    if (result_.text.size() + line.joined.size() > kLargestText)
      throw InvalidArgument(fmt::format("{}: the text with its includes is over {} bytes (chain: {})",
                                        place.to_string(), kLargestText, chain()));
  }

  void obey(const Directive& directive, std::size_t number) {
    if (directive.word == "pragma") {
      once_.insert(chain_.back().identity);
      return;
    }
    if (directive.word != "include") refuse(directive.word, directive.rest, number, "is not supported; use #include");
    const auto wanted = quoted_name(directive.rest);
    if (!wanted) refuse(directive.word, directive.rest, number, "is not of the form \"file\" or <file>");
    add_include(*wanted, number);
  }

  void add_include(std::string_view wanted, std::size_t number) {
    if (wanted.starts_with('/'))
      refuse("include", wanted, number, "is an absolute path; name the file from a folder that includes are read from");
    IncludeLookup found = look_up(wanted);
    if (!found.refusal.empty()) refuse("include", wanted, number, fmt::format("is not read: {}", found.refusal));
    if (!found.file) return add_error(wanted, number, found.outside);
    if (once_.contains(found.file->identity)) return;
    if (in_chain(found.file->identity)) refuse("include", wanted, number, "includes itself; put #pragma once into it");
    if (chain_.size() == kMostDepth)
      refuse("include", wanted, number, fmt::format("is nested deeper than {} files", kMostDepth));
    add(*std::move(found.file));
  }

  [[nodiscard]] IncludeLookup look_up(std::string_view wanted) const {
    const IncludedFile& from = chain_.back();
    IncludeLookup nothing;
    const auto is_final = [&](const IncludeLookup& found) {
      nothing.outside = nothing.outside || found.outside;
      return found.file || !found.refusal.empty();
    };
    if (from.place != nullptr)
      if (IncludeLookup found = from.place->find_beside(from, wanted); is_final(found)) return found;
    for (const IncludePlace* place : places_)
      if (IncludeLookup found = place->find(wanted); is_final(found)) return found;
    return nothing;
  }

  /// A file that is not there matters only to a compiler that gets so far: headers shared with the host have includes
  /// that kernels skip.
  void add_error(std::string_view wanted, std::size_t number, bool outside) {
    const std::string why =
        outside ? "outside of the folders to include from; add the one that it is in" : "not " + places_searched();
    result_.text += line_marker(number, chain_.back().name);
    result_.text += fmt::format("#error include \"{}\" is {}, chain \"{}\"\n", plain_name(wanted), why, chain());
  }

  [[nodiscard]] std::string places_searched() const {
    std::vector<std::string_view> all;
    for (const IncludePlace* place : places_)
      if (const std::string_view description = place->description(); !description.empty()) all.push_back(description);
    return fmt::format("{}", fmt::join(all, " or "));
  }

  [[nodiscard]] bool in_chain(const std::string& identity) const {
    return std::any_of(chain_.begin(), chain_.end(), [&](const auto& file) { return file.identity == identity; });
  }

  [[noreturn]] void refuse(std::string_view word, std::string_view wanted, std::size_t number,
                           std::string_view why) const {
    throw InvalidArgument(fmt::format("{}:{}: #{} {} {} (chain: {})", chain_.back().name, number, word,
                                      plain_name(wanted), why, chain()));
  }

  [[nodiscard]] std::string chain() const {
    std::vector<std::string_view> names;
    for (const IncludedFile& file : chain_) names.push_back(file.name);
    return fmt::format("{}", fmt::join(names, " -> "));
  }

  std::span<const IncludePlace* const> places_;
  ExpandedSource result_;
  std::vector<IncludedFile> chain_;
  std::set<std::string> known_;
  std::set<std::string> once_;
};

std::string_view nth_line(std::string_view text, std::size_t number) {
  for (; number > 1 && !text.empty(); --number) static_cast<void>(take_line(text));
  return take_line(text);
}

IncludedFile text_file(const Source& source) {
  IncludedFile file;
  file.name = source.name();
  file.text = source.text();
  return file;
}

std::shared_ptr<const ExpandedSource> read_includes(const Source& source, const KernelPath& kernel_path) {
  const EmbeddedPlace embedded(source.files(), kernel_path);
  IncludedFile main = source.is_embedded() ? embedded.main_file(source.name(), source.text()) : text_file(source);
  const DeviceHeaders headers(kernel_path);
  const IncludePlace* const places[] = {&embedded, &headers};
  return std::make_shared<const ExpandedSource>(expand(std::move(main), places));
}

}  // namespace

ExpandedSource expand(IncludedFile main, std::span<const IncludePlace* const> places) {
  Expander expander(places);
  expander.add(std::move(main));
  ExpandedSource expanded = expander.take();
  FieldHasher hasher;
  hasher.add(expanded.text);
  expanded.digest = hasher.finish();
  return expanded;
}

Source with_includes(const Source& source) {
  const KernelPath kernel_path = source.is_embedded() ? KernelPath::from_environment() : KernelPath();
  Source read = source;
  if (kernel_path.empty() && read.expansion().get() != nullptr) return read;
  auto expanded = read_includes(source, kernel_path);
  if (kernel_path.empty()) source.expansion().set(expanded);
  read.expansion().set(std::move(expanded));
  return read;
}

std::string head_for(const ExpandedSource& source, const BuildOptions& options) {
  FileQuestions questions = source.questions;
  std::string definitions;
  for (const auto& [name, value] : options.defines()) {
    const std::string define = "define " + name;
    questions.read(CommentTracker().code_of(fmt::format("{} {}", name, value)).text, {define});
    definitions += fmt::format("#define {} {}\n", name, value);
  }
  return std::string(questions.prologue()) + definitions;
}

std::string expand(const Source& source, const BuildOptions& options) {
  auto expanded = source.expansion().get();
  if (expanded == nullptr) expanded = with_includes(source).expansion().get();
  return head_for(*expanded, options) + expanded->text;
}

std::string_view source_line(const Source& source, std::string_view file, std::size_t number) {
  if (number == 0) return {};
  if (const auto expanded = source.expansion().get()) {
    for (const ExpandedSource::File& candidate : expanded->files)
      if (candidate.name == file) return nth_line(candidate.text, number);
    return {};
  }
  if (file == source.name()) return nth_line(source.text(), number);
  for (const EmbeddedFile& candidate : source.files())
    if (candidate.path == file) return nth_line(candidate.text, number);
  return {};
}

}  // namespace anycl::detail
