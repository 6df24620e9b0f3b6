/// \file  What stands behind a Device handle. Layer 1 (device).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "anycl/device/device.hpp"
#include "device/driver_faults.hpp"
#include "device/opencl.hpp"
#include "device/sub_device.hpp"

namespace anycl::detail {

struct DeviceRecord {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;  // a whole device is never retained, never released
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
  std::string compiler_fault;    // why no default takes it; empty when the compiler works or was not tried
  std::optional<Device> parent;  // this and the next: of a sub-device; in this order, a part goes first
  std::shared_ptr<const SubDevice> sub_device;  // keeps `device` alive
};

}  // namespace anycl::detail
