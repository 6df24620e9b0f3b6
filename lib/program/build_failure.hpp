/// \file  What to say when a compiler refuses a source. Layer 3 (program).
#pragma once

#include <string>

#include "anycl/device/device.hpp"
#include "device/opencl.hpp"
#include "program/build_input.hpp"

namespace anycl::detail {

/// Throws what a build that gave `code` and left `log` comes to.
/// \throws Unsupported  when the log says that the device lacks an extension: a program can try another kernel then
/// \throws BuildError   else
[[noreturn]] void throw_build_failure(cl_int code, const std::string& log, const Device& device,
                                      const BuildInput& input, const std::string& options);

}  // namespace anycl::detail
