/// \file  A driver's own cache of builds, as far as it is at fault. Layer 1 (device).
#pragma once

#include <optional>

#include "base/os_folder_lock.hpp"
#include "device/device_record.hpp"

namespace anycl::detail {

/// While it lives, no other program is built, by this process or another, that shares the files of the same driver. For
/// drivers that spoil the files of a build that goes on at the same time (`DriverFaults::build_races`); of others it asks
/// nothing. Waits at most 10 s for its turn: then the build goes on without.
class BuildTurn {
 public:
  explicit BuildTurn(const DeviceRecord& device);

 private:
  std::optional<os::FolderLock> lock_;
};

}  // namespace anycl::detail
