#include "sub_devices.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "driver.hpp"

namespace anycl::test_layer {
namespace {

using Properties = std::vector<cl_device_partition_property>;

/// Empty where partitioning is unknown; such drivers may have no code for clCreateSubDevices either.
Properties ways_to_split(cl_device_id device) {
  std::size_t size = 0;
  if (driver().clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, 0, nullptr, &size) != CL_SUCCESS) return {};
  Properties ways(size / sizeof(cl_device_partition_property));
  driver().clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, size, ways.data(), nullptr);
  return ways;
}

cl_uint compute_units(cl_device_id device) {
  cl_uint units = 0;
  driver().clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, nullptr);
  return units;
}

/// The properties that split `units` compute units so; empty when the device has no way to do it.
Properties partition(const Properties& ways, cl_uint units, cl_uint parts) {
  const auto has = [&](cl_device_partition_property way) {
    return std::find(ways.begin(), ways.end(), way) != ways.end();
  };
  const cl_uint smallest = units / parts, rest = units % parts;
  if (smallest == 0) return {};
  if (rest == 0 && has(CL_DEVICE_PARTITION_EQUALLY)) return {CL_DEVICE_PARTITION_EQUALLY, smallest, 0};
  if (!has(CL_DEVICE_PARTITION_BY_COUNTS)) return {};
  Properties by_counts{CL_DEVICE_PARTITION_BY_COUNTS};
  for (cl_uint i = 0; i < parts; ++i) by_counts.push_back(smallest + (i < rest ? 1 : 0));
  by_counts.insert(by_counts.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  return by_counts;
}

std::vector<cl_device_id> make_sub_devices(cl_device_id device, cl_uint parts) {
  const Properties properties = partition(ways_to_split(device), compute_units(device), parts);
  std::vector<cl_device_id> made(parts);
  if (properties.empty() ||
      driver().clCreateSubDevices(device, properties.data(), parts, made.data(), nullptr) != CL_SUCCESS)
    return {device};
  return made;
}

}  // namespace

std::vector<cl_device_id> sub_devices_of(cl_device_id device, cl_uint parts) {
  static std::mutex& mutex = *new std::mutex;
  static auto& made = *new std::map<std::pair<cl_device_id, cl_uint>, std::vector<cl_device_id>>;
  const std::lock_guard lock(mutex);
  auto& sub_devices = made[{device, parts}];
  if (sub_devices.empty()) sub_devices = make_sub_devices(device, parts);
  return sub_devices;
}

}  // namespace anycl::test_layer
