/// \file  Devices that are made up out of facts alone, with no driver behind them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "anycl/device/device.hpp"

namespace anycl::test {

/// What a made-up device differs in.
struct Made {
  std::string platform;
  std::string alias;
  DeviceKind kind = DeviceKind::cpu;
  std::string name;
  std::uint32_t units = 8;
  std::string id = {};  ///< empty: from alias and name
  bool available = true;
  bool compiler = true;
  std::optional<std::uint32_t> vendor_id = {};
  std::optional<std::uint32_t> pci_bus = {};
  std::uint32_t clock_mhz = 1000;
  std::string driver_version = {};
};

/// `platform` stands for the native handle.
[[nodiscard]] Device device_of(const Made& made, const Capabilities& facts = {}, std::uintptr_t platform = 1);

/// Devices in a row of one platform share it.
[[nodiscard]] Discovery discovery_of(const std::vector<Made>& devices);

}  // namespace anycl::test
