// Finding the first error in a compiler's log. Input: the log.
#include <string>

#include <fmt/format.h>

#include "fuzz/fuzz.hpp"
#include "program/build_log.hpp"
#include "program/include_expander.hpp"

using namespace anycl;
using detail::BuildMessage;
using detail::first_error;
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
  require(message.file.size() + message.text.size() <= log.size(), "a message is no longer than its log");
  require(log.find(message.file) != std::string_view::npos, "the file stands in the log");
  require(log.find(message.text) != std::string_view::npos, "the text stands in the log");
  require(message.file.find('\n') == std::string::npos && message.text.find('\n') == std::string::npos,
          "a message is one line");
}

void check_written_again(const BuildMessage& message) {
  const auto again =
      first_error(fmt::format("note\n{}:{}:{}: error: {}\n", message.file, message.line, message.column, message.text));
  require(again.has_value(), "a message written as clang does is found again");
  require(again->file == message.file && again->line == message.line && again->column == message.column &&
              again->text == message.text,
          "a message written as clang does is read as the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view log = fuzz::text_of(data, size);
  const auto message = first_error(log);
  if (!message) return 0;
  check_message(*message, log);
  check_quoted_line(*message);
  check_written_again(*message);
  return 0;
}
