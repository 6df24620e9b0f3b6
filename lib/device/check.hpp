/// \file  Turning OpenCL status codes into exceptions that name the call. Layer 1 (device).
#pragma once

#include <string_view>

#include "device/opencl.hpp"

namespace anycl::detail {

/// \throws OutOfMemory, DeviceLost or ClError, by `code`; the text is "`subject`: `call` failed with `code`".
[[noreturn]] void throw_cl(cl_int code, std::string_view call, std::string_view subject = {});

/// Logs a failure where nothing may be thrown.
void log_cl(cl_int code, std::string_view call) noexcept;

inline void check_cl(cl_int code, std::string_view call, std::string_view subject = {}) {
  if (code != CL_SUCCESS) [[unlikely]]
    throw_cl(code, call, subject);
}

}  // namespace anycl::detail

/// Runs one OpenCL call that returns a status and throws with the call's text when it fails.
#define ANYCL_CL(call) ::anycl::detail::check_cl((call), #call)

/// For destructors: as ANYCL_CL, but logs.
#define ANYCL_CL_NOTHROW(call)                                                                   \
  do {                                                                                           \
    if (const cl_int code_ = (call); code_ != CL_SUCCESS) ::anycl::detail::log_cl(code_, #call); \
  } while (false)
