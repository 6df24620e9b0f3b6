#include "device/known_devices.hpp"

#include "base/environment.hpp"
#include "device/entry_points.hpp"

namespace anycl::detail {

/// Never destroyed: devices may be listed while the process ends.
KnownDevices* KnownDevices::instance() {
  static KnownDevices& devices = *new KnownDevices;
  static const bool layered = environment("OPENCL_LAYERS").has_value();  // loaders look once, too
  return layered || !is_loaders_own(entry_points()) ? nullptr : &devices;
}

std::shared_ptr<const DeviceRecord> KnownDevices::find(cl_device_id device, const std::string& overrides) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find({device, overrides});
  return found == records_.end() ? nullptr : found->second;
}

void KnownDevices::add(std::shared_ptr<const DeviceRecord> record, const std::string& overrides) {
  const std::lock_guard lock(mutex_);
  const cl_device_id device = record->device;
  records_.insert_or_assign({device, overrides}, std::move(record));
}

}  // namespace anycl::detail
