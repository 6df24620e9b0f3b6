#include "device/made_devices.hpp"

#include <memory>
#include <utility>

#include "device/device_record.hpp"

namespace anycl::test {

Device device_of(const Made& made, const Capabilities& facts, std::uintptr_t platform) {
  static std::uintptr_t next_handle = 64;
  auto record = std::make_shared<detail::DeviceRecord>();
  record->device = reinterpret_cast<cl_device_id>(next_handle++);
  record->platform = reinterpret_cast<cl_platform_id>(platform);
  record->driver_version = made.driver_version;
  record->platform_name = made.platform;
  record->platform_alias = made.alias;
  record->name = made.name;
  record->kind = made.kind;
  record->id = made.id.empty() ? made.alias + "-" + made.name : made.id;
  record->capabilities = facts;
  record->capabilities.compute_units = made.units;
  record->capabilities.clock_mhz = made.clock_mhz;
  record->capabilities.available = made.available;
  record->capabilities.has_compiler = made.compiler;
  record->capabilities.vendor_id = made.vendor_id;
  if (made.pci_bus) record->capabilities.pci_place = PciPlace{0, *made.pci_bus, 0, 0};
  return Device(std::move(record));
}

Discovery discovery_of(const std::vector<Made>& devices) {
  Discovery discovery;
  for (const Made& made : devices) {
    if (discovery.platforms.empty() || discovery.platforms.back().name != made.platform)
      discovery.platforms.push_back({made.platform, "", "", made.alias, {}});
    discovery.platforms.back().devices.push_back(device_of(made, {}, discovery.platforms.size()));
  }
  return discovery;
}

}  // namespace anycl::test
