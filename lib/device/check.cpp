#include "device/check.hpp"

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"

namespace anycl::detail {
namespace {

/// "clFinish(queue)" -> "clFinish"
std::string_view function_name(std::string_view call) { return call.substr(0, call.find('(')); }

}  // namespace

void throw_cl(cl_int code, std::string_view call, std::string_view subject) {
  const std::string_view function = function_name(call);
  const std::string text = subject.empty() ? fmt::format("{} failed: {}", function, describe_code(code))
                                           : fmt::format("{}: {} failed: {}", subject, function, describe_code(code));
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE) throw OutOfMemory(text, 0, 0);
  if (code == CL_DEVICE_NOT_AVAILABLE) throw DeviceLost(text);
  throw ClError(text, code, std::string(function));
}

void log_cl(cl_int code, std::string_view call) noexcept {
  log::warn("{} failed: {}", function_name(call), describe_code(code));
}

}  // namespace anycl::detail
