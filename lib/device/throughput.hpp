/// \file  How fast a device may be, from what it says about itself. Layer 1 (device).
#pragma once

#include "anycl/device/device.hpp"

namespace anycl::detail {

/// Single-precision operations a second at most, in units of 10^9; 0 when the device tells no clock. Good for an order
/// of devices, not for a forecast: compute units of different makers differ by more than ten times, which is what this
/// evens out.
[[nodiscard]] double estimated_gflops(const Device& device) noexcept;

}  // namespace anycl::detail
