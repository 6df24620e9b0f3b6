/// \file  Known faults of drivers, as data. Layer 1 (device).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "device/device_record.hpp"
#include "device/quirk_overrides.hpp"

namespace anycl::detail {

/// One fault of a driver, or of some of its devices. What is left empty matches all.
struct Quirk {
  enum class Devices { all, graphics, processors };

  std::string_view name;    ///< for ANYCL_QUIRKS, `anycl devices -v` and the log
  std::string_view reason;  ///< what happens, and where it was seen
  std::string_view platform_alias;
  std::optional<std::uint32_t> vendor_id{};  ///< of the device: a driver may serve devices of several makers
  std::string_view name_part{};              ///< of the device's name
  Devices devices = Devices::all;
  Version since{};                 ///< first driver version that has the fault
  std::optional<Version> until{};  ///< first one that has it no more
  DriverFaults faults{};
};

/// All that are known.
[[nodiscard]] std::span<const Quirk> quirks() noexcept;

/// A driver version that cannot be read is taken for one with the fault.
[[nodiscard]] bool matches(const Quirk& quirk, const DeviceRecord& record);

/// Corrects `record` by every quirk that matches it, then by `overrides`.
void apply_quirks(DeviceRecord& record, const QuirkOverrides& overrides);

}  // namespace anycl::detail
