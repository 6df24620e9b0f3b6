/// \file  What stands behind a Device handle. Layer 1 (device).
#pragma once

#include <string>

#include "anycl/device/device.hpp"
#include "device/driver_faults.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

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
  DeviceKind kind = DeviceKind::cpu;
  Capabilities capabilities;
  DriverFaults faults;
};

}  // namespace anycl::detail
