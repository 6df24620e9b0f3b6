/// \file  The device headers against host references: what every driver and the simulator run.
#pragma once

#include <cstddef>
#include <optional>

#include "anycl/program/build_options.hpp"
#include "support/devices.hpp"

namespace anycl::test {

/// `size` work-items change the same few floats, in global memory and in local memory.
void check_float_atomics(Rig& rig, std::size_t size);

/// The same with 64-bit integers where the device has them; Unsupported with the extension's name where not.
void check_int64_atomics(Rig& rig, std::size_t size);

/// `size` counters against a reference of the host's.
void check_philox(Rig& rig, std::size_t size);

struct SeenSubGroups {
  bool of_device = false;
  std::size_t max_size = 0;
};

/// All functions in groups of `width` times `height` work-items; gives what the kernel found. Nothing where the device
/// has no such groups.
std::optional<SeenSubGroups> check_sub_groups(Rig& rig, std::size_t width, std::size_t height,
                                              const BuildOptions& options);

}  // namespace anycl::test
