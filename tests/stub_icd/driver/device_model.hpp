/// \file  The devices that a stub can pretend to have. Made up, but each could be on a shelf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <CL/cl.h>

namespace anycl::stub {

struct PlatformModel {
  std::string_view name;
  std::string_view vendor;
  std::string_view version;
};

struct DeviceModel {
  std::string_view key;  ///< what settings call it
  const PlatformModel* platform;
  std::string_view name;
  std::string_view vendor;
  cl_uint vendor_id;
  cl_device_type type;
  std::string_view driver_version;
  cl_uint compute_units;
  cl_uint clock_mhz;
  std::uint64_t global_mib;
  std::uint64_t max_allocation_mib;
  std::uint64_t local_kib;
  std::size_t max_group_size;
  std::array<std::size_t, 3> max_item_sizes;
  std::size_t preferred_multiple;
  bool unified_memory;
  cl_uint pci_bus;   ///< of the first one; a second one is on the next
  double link_gb_s;  ///< between host and device memory; 0: none to cross
  std::string_view extensions;
};

[[nodiscard]] std::span<const DeviceModel> device_models() noexcept;

/// Null when there is none.
[[nodiscard]] const DeviceModel* find_model(std::string_view key) noexcept;

}  // namespace anycl::stub
