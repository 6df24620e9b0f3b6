/// \file  The layer's own table: every entry judged by the rules, then handed on.
#pragma once

#include <CL/cl_icd.h>

namespace anycl::test_layer {

/// The driver's table must be set. Entries that the layer does not wrap are the driver's.
[[nodiscard]] const cl_icd_dispatch& wrappers();

}  // namespace anycl::test_layer
