/// \file  What lies below the layer: the loader's own table, or another layer's.
#pragma once

#include <CL/cl_icd.h>

namespace anycl::test_layer {

/// Calls through it are the layer's own: no rule sees them and nothing counts them.
[[nodiscard]] const cl_icd_dispatch& driver() noexcept;

void set_driver(const cl_icd_dispatch& table) noexcept;

}  // namespace anycl::test_layer
