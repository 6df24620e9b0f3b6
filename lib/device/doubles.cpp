#include "device/doubles.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/device_record.hpp"

namespace anycl::detail {
namespace {

bool has_identity(const Device& device) {
  const Capabilities& facts = device.capabilities();
  return facts.uuid || facts.pci_place || device.kind() == DeviceKind::cpu;
}

bool same_silicon(const Device& a, const Device& b) {
  const auto key = [](const Device& device) { return std::tie(device.id(), device.name(), device.driver_version()); };
  return has_identity(a) && has_identity(b) && key(a) == key(b);
}

bool same_platform(const Platform& a, const Platform& b) {
  if (a.devices.empty() || b.devices.empty()) return false;
  if (a.devices.front().record().platform == b.devices.front().record().platform) return true;
  return std::tie(a.name, a.version) == std::tie(b.name, b.version) &&
         std::equal(a.devices.begin(), a.devices.end(), b.devices.begin(), b.devices.end(), same_silicon);
}

}  // namespace

void drop_doubles(Discovery& discovery) {
  std::vector<Platform> kept;
  for (Platform& platform : discovery.platforms) {
    const bool there =
        std::any_of(kept.begin(), kept.end(), [&](const auto& other) { return same_platform(other, platform); });
    if (there)
      discovery.warnings.push_back(
          fmt::format("platform '{}' is there twice, as with two ICD files for one driver; the second is left unused",
                      platform.name));
    else
      kept.push_back(std::move(platform));
  }
  discovery.platforms = std::move(kept);
}

}  // namespace anycl::detail
