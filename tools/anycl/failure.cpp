#include "failure.hpp"

#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "anycl/base/error.hpp"
#include "json_document.hpp"
#include "printable.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

struct Verdict {
  std::string_view kind;  ///< as JSON names it
  ExitCode code;
};

template <class T>
bool is_a(const std::exception& failure) {
  return dynamic_cast<const T*>(&failure) != nullptr;
}

Verdict judge(const std::exception& failure) {
  if (is_a<InvalidArgument>(failure)) return {"invalid_argument", ExitCode::bad_input};
  if (is_a<IoError>(failure) || is_a<std::system_error>(failure)) return {"io_error", ExitCode::bad_input};
  if (is_a<NoDevice>(failure)) return {"no_device", ExitCode::no_device};
  if (is_a<Unsupported>(failure)) return {"unsupported", ExitCode::no_device};
  if (is_a<DeviceLost>(failure)) return {"device_lost", ExitCode::no_device};
  if (is_a<OutOfMemory>(failure) || is_a<std::bad_alloc>(failure)) return {"out_of_memory", ExitCode::no_device};
  if (is_a<BuildError>(failure)) return {"build_error", ExitCode::answered_no};
  return {"failure", ExitCode::answered_no};
}

std::string message_of(const std::exception& failure) {
  if (is_a<std::bad_alloc>(failure)) return "out of memory on the host: use smaller input or a machine with more";
  return failure.what();
}

/// A build error shows the source below its first line; every other failure is one line whatever it quotes.
void print_line(const std::exception& failure, std::string_view message) {
  const bool has_source = is_a<BuildError>(failure);
  const std::size_t end = has_source ? message.find('\n') : message.size();
  say(fmt::format("anycl: {}\n", printable(message.substr(0, end))));
  if (has_source && end < message.size()) say(fmt::format("{}\n", message.substr(end + 1)));
}

}  // namespace

std::string_view kind_of(const std::exception& failure) { return judge(failure).kind; }

ExitCode report_failure(const std::exception& failure, bool json) {
  const Verdict verdict = judge(failure);
  const std::string message = message_of(failure);
  print_line(failure, message);
  if (json) {
    Json document = make_document("anycl.error");
    document["error"] = {{"kind", verdict.kind}, {"message", message}, {"exit_code", static_cast<int>(verdict.code)}};
    print_document(document);
  }
  return verdict.code;
}

}  // namespace anycl::command
