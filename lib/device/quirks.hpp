/// \file  Known faults of drivers, as data. Layer 1 (device).
#pragma once

#include <optional>
#include <string_view>

#include "device/device_record.hpp"

namespace anycl::detail {

/// One driver, or one device of it, that does not do what the specification or its own answers say.
struct Quirk {
  std::string_view platform_alias;
  std::string_view name_part;  ///< part of the device name; empty matches all
  std::string_view reason;
  std::optional<std::uint64_t> max_loop_iterations{};
  std::optional<std::uint64_t> max_global_items{};
  std::optional<std::uint64_t> max_total_items{};
  bool timestamps_untrusted = false;
  bool binary_query_blocks = false;
  bool one_thread_only = false;
};

/// Corrects `record` by every quirk that matches it.
void apply_quirks(DeviceRecord& record);

}  // namespace anycl::detail
