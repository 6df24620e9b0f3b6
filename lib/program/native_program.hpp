/// \file  Handing sources and modules to a driver. Layer 3 (program).
#pragma once

#include "anycl/device/device.hpp"
#include "device/opencl.hpp"
#include "program/build_input.hpp"

namespace anycl::detail {

/// A program of `context`, not built yet.
/// \throws Unsupported  for a module that `device` does not take; names device and what it takes.
[[nodiscard]] cl::Program make_native_program(cl_context context, const Device& device, const CompilerInput& input);

}  // namespace anycl::detail
