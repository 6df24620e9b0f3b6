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
#include "device/version_text.hpp"

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

/// GPUs that may be one another: of one maker, and of one kind.
using Make = std::pair<std::uint32_t, DeviceKind>;

/// Where the GPUs of each make are, as far as any driver tells.
std::map<Make, Places> places_by_make(const std::vector<Device>& devices) {
  std::map<Make, Places> places;
  for (const Device& device : devices)
    if (const auto vendor = device.capabilities().vendor_id; vendor && is_gpu(device) && !place_of(device).empty())
      places[{*vendor, device.kind()}].insert(place_of(device));
  return places;
}

/// A version that cannot be read is taken for an old one.
Version driver_version(const Device& device) { return find_version(device.driver_version()).value_or(Version{}); }

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
  // Not swapped: newer drivers come first.
  return std::make_tuple(driver_rank(a), a.platform_alias(), driver_version(b), b.driver_version(), a.platform_name(),
                         a.id()) < std::make_tuple(driver_rank(b), b.platform_alias(), driver_version(a),
                                                   a.driver_version(), b.platform_name(), b.id());
}

SiliconMap::SiliconMap(const std::vector<Device>& devices) {
  const auto known = places_by_make(devices);
  std::map<std::pair<std::string, Make>, std::size_t> seen;  // under one driver
  for (const Device& device : devices) {
    const auto vendor = device.capabilities().vendor_id;
    std::string silicon = device.id();
    if (device.kind() == DeviceKind::cpu) {
      silicon = "cpu";  // one host, one set of processors
    } else if (const std::string place = place_of(device); is_gpu(device) && !place.empty()) {
      silicon = place;
    } else if (is_gpu(device) && vendor) {
      const Make make{*vendor, device.kind()};
      const std::size_t ordinal = seen[{device.platform_alias(), make}]++;
      const auto places = known.find(make);
      const bool matched = places != known.end() && ordinal < places->second.size();
      silicon = matched ? *std::next(places->second.begin(), static_cast<std::ptrdiff_t>(ordinal))
                        : fmt::format("{} {} of vendor {:04x}", to_string(device.kind()), ordinal, *vendor);
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
