/// \file  A device being asked. Layer 1 (device).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "anycl/device/capabilities.hpp"
#include "device/info.hpp"

namespace anycl::detail {

/// Each answer is empty when the driver gives none, or one of another size.
class DeviceQuery {
 public:
  explicit DeviceQuery(cl_device_id device) : device_(device) {}

  template <class T>
  [[nodiscard]] std::optional<T> value(cl_device_info what) const {
    return read_value<T>(info(&clGetDeviceInfo, device_, what));
  }
  [[nodiscard]] std::optional<bool> flag(cl_device_info what) const;
  [[nodiscard]] std::optional<cl_bitfield> bits(cl_device_info what) const { return value<cl_bitfield>(what); }
  [[nodiscard]] std::string text(cl_device_info what) const;
  template <class T>
  [[nodiscard]] std::vector<T> array(cl_device_info what) const {
    return read_array<T>(info(&clGetDeviceInfo, device_, what)).value_or(std::vector<T>{});
  }
  /// Sorted by name, then version.
  [[nodiscard]] std::vector<NamedVersion> named_versions(cl_device_info what) const;

 private:
  cl_device_id device_;
};

}  // namespace anycl::detail
