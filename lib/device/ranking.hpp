/// \file  The default order of devices, and which of them are the same silicon. Layer 1 (device).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "anycl/device/device.hpp"

namespace anycl::detail {

/// Drivers for the same silicon, best first: smaller is better.
[[nodiscard]] int driver_rank(const Device& device);

/// A total order that does not depend on what order the loader gives: kind, throughput, driver, and at last the stable id.
/// Of CPUs the driver decides before the throughput, since they are all the same processor.
[[nodiscard]] bool ranks_before(const Device& a, const Device& b);

/// Tells which devices are one piece of silicon under several drivers: all CPUs; GPUs at one PCI place; and where a driver
/// tells no place, its n-th GPU of a maker and kind and the n-th of those under any other driver.
class SiliconMap {
 public:
  explicit SiliconMap(const std::vector<Device>& devices);

  /// The same text for the same silicon. `device` is one of those given to the constructor.
  [[nodiscard]] const std::string& silicon_of(const Device& device) const;

 private:
  std::vector<std::pair<Device, std::string>> silicon_;
};

}  // namespace anycl::detail
