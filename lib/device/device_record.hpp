/// \file  What stands behind a Device handle. Layer 1 (device).
#pragma once

#include <cstdint>
#include <limits>

#include "anycl/device/device.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

/// Work-items a driver can count. Sizes above end the process in some drivers.
struct RangeLimits {
  std::uint64_t max_global_items = std::numeric_limits<std::uint64_t>::max();  ///< per dimension
  std::uint64_t max_total_items = std::numeric_limits<std::uint64_t>::max();   ///< of all dimensions together
};

struct DeviceRecord {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;  // a root device: never retained, never released
  std::string name;
  std::string vendor;
  std::string driver_version;
  std::string platform_name;
  std::string platform_version;
  std::string platform_alias;
  std::string id;
  std::uint32_t vendor_id = 0;
  DeviceKind kind = DeviceKind::cpu;
  Capabilities capabilities;
  RangeLimits range_limits;
  bool binary_query_blocks = false;  ///< a program's binary is to be asked for while the program is not in use
  bool one_thread_only = false;      ///< the driver must not be called from a thread of our own
};

}  // namespace anycl::detail
