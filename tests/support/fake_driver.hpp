/// \file  A table of OpenCL entries that does nothing, for measuring and testing what anycl itself does.
#pragma once

#include "device/entry_points.hpp"

namespace anycl::test {

/// One platform "Fake" with one device, whose programs all hold the kernel
/// `kernel void work(global const float* x, global float* y, uint n)`. Every command is complete at once.
[[nodiscard]] const detail::EntryPoints& fake_driver();

}  // namespace anycl::test
