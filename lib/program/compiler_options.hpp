/// \file  The options that a driver's compiler is given. Layer 3 (program).
#pragma once

#include <string>

#include "anycl/device/device.hpp"
#include "program/build_input.hpp"

namespace anycl::detail {

/// Those of `input`, in one order whatever order they were set in, and those that the library itself needs on `device`.
/// \throws Unsupported  naming device and what it lacks, and has: a version of OpenCL C, correct rounding.
[[nodiscard]] std::string compiler_options(const BuildInput& input, const Device& device);

}  // namespace anycl::detail
