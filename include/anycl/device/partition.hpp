/// \file  Dividing a device into sub-devices. Layer 1 (device).
///
/// A sub-device is a `Device` like any other: contexts, queues, buffers and kernels take it, alone, beside its siblings
/// and beside the whole, and it may be divided again where the driver can. The driver's part of it lives as long as a
/// handle does. `discover()` lists whole devices only, and no default takes a part: give it to `Context` by hand.
/// `Capabilities::partitioning` tells what a device can do of all this.
/// Source: OpenCL 3.0 API, clCreateSubDevices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "anycl/device/device.hpp"
#include "anycl/export.hpp"

namespace anycl {

/// As many sub-devices of `units_each` compute units as there are; units that remain are in none of them.
/// \throws InvalidArgument  when `units_each` is 0, or more than `device` has.
/// \throws Unsupported      when the driver cannot divide `device` so.
[[nodiscard]] ANYCL_API std::vector<Device> partition_equally(const Device& device, std::uint32_t units_each);

/// One sub-device for each count, of so many compute units.
/// \throws InvalidArgument  when there is no count, one of 0, or together more units or more parts than `device` has.
/// \throws Unsupported      when the driver cannot divide `device` so.
[[nodiscard]] ANYCL_API std::vector<Device> partition_by_counts(const Device& device,
                                                                std::span<const std::uint32_t> counts);

/// One sub-device for each part of the machine that has memory of its own.
/// \throws Unsupported  when the driver cannot divide `device` so.
[[nodiscard]] ANYCL_API std::vector<Device> partition_by_numa_domain(const Device& device);

}  // namespace anycl
