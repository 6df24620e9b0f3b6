#include "anycl/device/device.hpp"

#include "device/device_record.hpp"

namespace anycl {

std::string_view to_string(DeviceKind kind) noexcept {
  switch (kind) {
    case DeviceKind::discrete_gpu:
      return "discrete gpu";
    case DeviceKind::integrated_gpu:
      return "integrated gpu";
    case DeviceKind::cpu:
      return "cpu";
    case DeviceKind::accelerator:
      return "accelerator";
    case DeviceKind::emulator:
      return "emulator";
  }
  return "unknown kind";
}

const std::string& Device::name() const noexcept { return record_->name; }
const std::string& Device::vendor() const noexcept { return record_->vendor; }
const std::string& Device::driver_version() const noexcept { return record_->driver_version; }
const std::string& Device::platform_name() const noexcept { return record_->platform_name; }
const std::string& Device::platform_version() const noexcept { return record_->platform_version; }
const std::string& Device::platform_alias() const noexcept { return record_->platform_alias; }
const std::string& Device::id() const noexcept { return record_->id; }
DeviceKind Device::kind() const noexcept { return record_->kind; }
const Capabilities& Device::capabilities() const noexcept { return record_->capabilities; }
std::optional<Device> Device::parent() const { return record_->parent; }

bool operator==(const Device& a, const Device& b) noexcept { return a.record_->device == b.record_->device; }

std::vector<Device> Discovery::devices() const {
  std::vector<Device> all;
  for (const auto& platform : platforms) all.insert(all.end(), platform.devices.begin(), platform.devices.end());
  return all;
}

}  // namespace anycl
