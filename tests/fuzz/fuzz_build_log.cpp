// Reading a compiler's log, and showing the lines it points at. Input: the log.
#include <string>

#include <fmt/format.h>

#include "base/plain_line.hpp"
#include "fuzz/fuzz.hpp"
#include "program/build_log.hpp"
#include "program/excerpt.hpp"
#include "program/include_expander.hpp"

using namespace anycl;
using detail::read_build_log;
using fuzz::require;

namespace {

constexpr std::string_view kText = "one\ntwo\r\nthree\n";

/// The quoted line is looked up by whatever number and name the log claims.
void check_quoted_line(const BuildMessage& message) {
  const EmbeddedFile file{"a.cl", kText, ""};
  const std::string_view line = detail::source_line(Source(file, {}), message.file, message.line);
  require(line.empty() || (line.data() >= kText.data() && line.data() + line.size() <= kText.data() + kText.size()),
          "a quoted line lies within the source");
  if (message.file == "a.cl")
    require(line.empty() == (message.line < 1 || message.line > 3), "a line that is there is found");
}

void check_message(const BuildMessage& message, std::string_view log) {
  require(message.file.size() + message.text.size() <= log.size() + 50, "a message is hardly longer than its log");
  require(plain_line(message.file) == message.file && plain_line(message.text) == message.text,
          "a message is one plain line");
  require((message.line == 0) == message.file.empty() || message.line > 0, "a file comes with a line");
}

/// Only what a compiler would say: its texts do not end in blanks, and its files do not look like places.
bool is_usual(const BuildMessage& message) {
  return message.line > 0 && message.column > 0 && message.file == "a.cl" && !message.text.empty();
}

void check_written_again(const BuildMessage& message) {
  const auto again = read_build_log(
      fmt::format("in a file:\n{}:{}:{}: error: {}\n", message.file, message.line, message.column, message.text));
  require(again.size() == 1, "a message written as clang does is found again");
  require(again[0].file == message.file && again[0].line == message.line && again[0].column == message.column &&
              again[0].text == message.text,
          "a message written as clang does is read as the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view log = fuzz::text_of(data, size);
  const std::string line = detail::telling_line(log);
  require(plain_line(line) == line, "the line that is shown is a plain one");
  const auto messages = read_build_log(log);
  require(messages.size() <= detail::kMostBuildMessages, "there are not too many messages");
  for (const BuildMessage& message : messages) {
    check_message(message, log);
    check_quoted_line(message);
    if (is_usual(message)) check_written_again(message);
    require(detail::excerpt(log, message.column).size() < 1000, "what is shown of a line is short");
  }
  return 0;
}
