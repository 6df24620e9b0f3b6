// Resolving #include. Input: the main file, then any number of others, each behind a line "==== name".
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "fuzz/c_lines.hpp"
#include "fuzz/fuzz.hpp"
#include "program/include_expander.hpp"

using namespace anycl;
using fuzz::require;

namespace {

constexpr std::string_view kMark = "==== ";

/// Views into the input.
struct Files {
  EmbeddedFile main;
  std::vector<EmbeddedFile> others;
};

Files files_of(std::string_view input) {
  const std::string separator = "\n" + std::string(kMark);
  Files files{{"main.cl", fuzz::take_field(input, separator), ""}, {}};
  while (!input.empty()) {
    std::string_view text = fuzz::take_field(input, separator);
    const std::string_view name = fuzz::take_field(text, "\n");
    files.others.push_back({name, text, ""});
  }
  return files;
}

struct Place {
  std::string file;
  std::size_t line = 1;
};

/// Reads `#line NUMBER "file"`.
std::optional<Place> marked_place(std::string_view line) {
  constexpr std::string_view kLine = "#line ";
  if (!line.starts_with(kLine) || !line.ends_with('"')) return std::nullopt;
  line.remove_prefix(kLine.size());
  Place place;
  const char* end = std::from_chars(line.data(), line.data() + line.size(), place.line).ptr;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (!line.starts_with(" \"")) return std::nullopt;
  place.file = line.substr(2, line.size() - 3);
  return place;
}

/// Follows the result line by line: each is the line of the file that the marker before it names, or one of those that
/// take an include's place.
class Follower {
 public:
  explicit Follower(const Source& source) : source_(source) {}

  void line(std::string_view text) {
    if (text == detail::source_line(source_, at_.file, at_.line)) {
      ++at_.line;
    } else if (const auto place = marked_place(text)) {
      at_ = *place;
    } else if (text.starts_with("/*") && text.substr(2) == detail::source_line(source_, at_.file, at_.line)) {
      ++at_.line;  // a comment goes on behind an include
    } else {
      const bool closes_comment = text == "*/" || text == "/**/";
      require(closes_comment || text.starts_with("#error include "), "a line stands where its marker says");
    }
  }

 private:
  const Source& source_;
  Place at_;
};

/// Names that a marker must change, and markers of the text's own, leave nothing to compare.
bool can_be_followed(const Files& files) {
  const auto is_plain = [](const EmbeddedFile& file) {
    return file.path.find_first_of("\"\\\r") == std::string_view::npos &&
           file.text.find("line") == std::string_view::npos;
  };
  return is_plain(files.main) && std::all_of(files.others.begin(), files.others.end(), is_plain);
}

void check_lines(const Files& files, const Source& source, std::string_view text) {
  if (!can_be_followed(files)) return;
  Follower follower(source);
  while (!text.empty()) follower.line(fuzz::take_field(text, "\n"));
}

void check_expanded(std::string_view text, std::size_t input_size) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  require(text.size() <= kMostBytes + 64 * (input_size + 64), "the result is bounded");
  require(text.find('\0') == std::string_view::npos, "no zero byte gets through");
  const auto [lines, open_comment] = fuzz::c_lines(text);
  require(!open_comment, "no comment stays open");
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    require(!fuzz::reads_a_file(line), "no directive that reads a file gets through");
    const auto more = fuzz::names_on(line);
    names.insert(names.end(), more.begin(), more.end());
  }
  require(!fuzz::may_ask_for_a_file(names), "no name that asks for a file gets through");
}

/// What stands ahead of a text with ## has nothing to be followed, and names what it takes the meaning of.
std::string_view without_prologue(std::string_view text) {
  constexpr std::string_view kFirst = "#line 1 ";
  const auto begin = text.find(kFirst);
  require(begin != std::string_view::npos, "a text begins with its first marker");
  require(begin == 0 || text.starts_with("#define asm "), "nothing but the prologue stands ahead of it");
  return text.substr(begin);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Files files = files_of(fuzz::text_of(data, size));
  const Source source(files.main, files.others);
  try {
    const std::string whole = detail::expand(source, {});
    const std::string_view text = without_prologue(whole);
    check_expanded(text, size);
    check_lines(files, source, text);
    require(detail::expand(source, {}) == whole, "a source keeps what it is");
  } catch (const InvalidArgument& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "an error text is one line");
  }
  return 0;
}
