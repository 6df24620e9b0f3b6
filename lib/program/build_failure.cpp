#include "program/build_failure.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"
#include "program/build_log.hpp"
#include "program/excerpt.hpp"
#include "program/missing_feature.hpp"

namespace anycl::detail {
namespace {

/// Null when no message is an error.
const BuildMessage* first_error(const std::vector<BuildMessage>& messages) {
  const auto found = std::find_if(messages.begin(), messages.end(), [](const BuildMessage& message) {
    return message.severity == BuildMessage::Severity::error;
  });
  return found == messages.end() ? nullptr : &*found;
}

std::string with_place(const BuildMessage& message) {
  return message.line == 0 ? message.text : fmt::format("{}:{}: {}", message.file, message.line, message.text);
}

/// One line, and the line of the source that it is about.
std::string explain(const std::string& log, const std::vector<BuildMessage>& messages) {
  const BuildMessage* first = first_error(messages);
  if (first == nullptr) {
    const std::string line = telling_line(log);
    return line.empty() ? "the driver gave no log; a cache folder of its own that it cannot write to is one cause"
                        : line;
  }
  const auto more = std::count_if(first + 1, messages.data() + messages.size(), [](const BuildMessage& message) {
    return message.severity == BuildMessage::Severity::error;
  });
  std::string text = with_place(*first);
  if (more > 0) text += fmt::format(" (and {} more error{})", more, more == 1 ? "" : "s");
  return first->excerpt.empty() ? text : text + '\n' + first->excerpt;
}

/// A program can try another kernel when the device lacks something, but not when the source is wrong.
void check_supported(const BuildMessage* error, const std::string& log, const Device& device, const BuildInput& input) {
  if (error == nullptr) return;
  const std::string extension = missing_extension(error->text, device.capabilities());
  if (extension.empty()) return;
  log::debug("build of {}: {}", input.label(), log);
  throw Unsupported(fmt::format("build of {} for {}: the device lacks {}: {}", input.label(), device.name(), extension,
                                with_place(*error)));
}

}  // namespace

void throw_build_failure(cl_int code, const std::string& log, const Device& device, const BuildInput& input,
                         const std::string& options) {
  std::vector<BuildMessage> messages = read_build_log(log);
  add_excerpts(messages, input.source());
  check_supported(first_error(messages), log, device, input);
  const std::string text = fmt::format("build of {} for {} failed with {}: {}", input.label(), device.name(),
                                       describe_code(code), explain(log, messages));
  throw BuildError(text, std::string(input.source().name()), options, log, std::move(messages));
}

}  // namespace anycl::detail
