#include "device/ranking.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "device/capabilities.hpp"
#include "device/throughput.hpp"

namespace anycl::detail {
namespace {

struct DriverRank {
  std::string_view alias;
  int on_cpu;
  int on_gpu;
};

// CPU drivers by measured speed of the same kernels on one processor; for GPUs the maker's own driver comes first.
constexpr DriverRank kDriverRanks[] = {
    {"intel", 0, 0},
    {"pocl", 1, 2},
    {"rusticl", 3, 2},
    {"clover", 4, 3},
};
constexpr DriverRank kOtherDrivers{"", 2, 0};

using Places = std::set<std::string>;

std::string place_of(const Device& device) {
  const auto& place = device.capabilities().pci_place;
  return place ? pci_text(*place) : std::string();
}

bool is_gpu(const Device& device) {
  return device.kind() == DeviceKind::discrete_gpu || device.kind() == DeviceKind::integrated_gpu;
}

/// Where the GPUs of each maker are, as far as any driver tells.
std::map<std::uint32_t, Places> places_by_vendor(const std::vector<Device>& devices) {
  std::map<std::uint32_t, Places> places;
  for (const Device& device : devices)
    if (const auto vendor = device.capabilities().vendor_id; vendor && is_gpu(device) && !place_of(device).empty())
      places[*vendor].insert(place_of(device));
  return places;
}

}  // namespace

int driver_rank(const Device& device) {
  const auto* found = std::find_if(std::begin(kDriverRanks), std::end(kDriverRanks),
                                   [&](const DriverRank& rank) { return rank.alias == device.platform_alias(); });
  if (found == std::end(kDriverRanks)) found = &kOtherDrivers;
  return device.kind() == DeviceKind::cpu ? found->on_cpu : found->on_gpu;
}

bool ranks_before(const Device& a, const Device& b) {
  if (a.kind() != b.kind()) return a.kind() < b.kind();
  if (a.kind() == DeviceKind::cpu && driver_rank(a) != driver_rank(b)) return driver_rank(a) < driver_rank(b);
  if (estimated_gflops(a) != estimated_gflops(b)) return estimated_gflops(a) > estimated_gflops(b);
  return std::make_tuple(driver_rank(a), a.platform_alias(), a.id()) <
         std::make_tuple(driver_rank(b), b.platform_alias(), b.id());
}

SiliconMap::SiliconMap(const std::vector<Device>& devices) {
  const auto known = places_by_vendor(devices);
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> seen;  // under one driver, of one maker
  for (const Device& device : devices) {
    const auto vendor = device.capabilities().vendor_id;
    std::string silicon = device.id();
    if (device.kind() == DeviceKind::cpu) {
      silicon = "cpu";  // one host, one set of processors
    } else if (const std::string place = place_of(device); is_gpu(device) && !place.empty()) {
      silicon = place;
    } else if (is_gpu(device) && vendor) {
      const std::size_t ordinal = seen[{device.platform_alias(), *vendor}]++;
      const auto places = known.find(*vendor);
      const bool matched = places != known.end() && ordinal < places->second.size();
      silicon = matched ? *std::next(places->second.begin(), static_cast<std::ptrdiff_t>(ordinal))
                        : fmt::format("gpu {} of vendor {:04x}", ordinal, *vendor);
    }
    silicon_.emplace_back(device, std::move(silicon));
  }
}

const std::string& SiliconMap::silicon_of(const Device& device) const {
  const auto found =
      std::find_if(silicon_.begin(), silicon_.end(), [&](const auto& entry) { return entry.first == device; });
  return found->second;
}

}  // namespace anycl::detail
