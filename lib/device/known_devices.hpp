/// \file  What whole devices have told of themselves. Layer 1 (device).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "device/device_record.hpp"

namespace anycl::detail {

/// Records by device, so that a process asks each device once: some eighty queries. They hold no OpenCL object, and drivers
/// never take a whole device back.
class KnownDevices {
 public:
  /// Null where the answers may be others next time: with a table that stands in for the loader's, or with layers.
  [[nodiscard]] static KnownDevices* instance();

  /// Null for a device that nobody has asked, or not under these `overrides` of quirks.
  [[nodiscard]] std::shared_ptr<const DeviceRecord> find(cl_device_id device, const std::string& overrides) const;

  void add(std::shared_ptr<const DeviceRecord> record, const std::string& overrides);

 private:
  using Key = std::pair<cl_device_id, std::string>;

  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const DeviceRecord>> records_;
};

}  // namespace anycl::detail
