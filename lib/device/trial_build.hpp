/// \file  Whether a device's compiler works. Layer 1 (device).
#pragma once

#include <string>

#include "anycl/device/device.hpp"

namespace anycl::detail {

/// Builds a kernel of one line. One line that says why that does not work; empty when it does. May never return, or end the
/// process: that is for one of our own.
[[nodiscard]] std::string try_compiler(const Device& device);

}  // namespace anycl::detail
