/// \file  The parts that stand in for a device under the rule `split`.
#pragma once

#include <vector>

#include <CL/cl.h>

namespace anycl::test_layer {

/// `parts` sub-devices of about equal size, made on first use and kept for good; `device` itself if it cannot be split
/// into so many. They are the layer's own handles, which no leak count sees.
[[nodiscard]] std::vector<cl_device_id> sub_devices_of(cl_device_id device, cl_uint parts);

}  // namespace anycl::test_layer
