#include "anycl/device/partition.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "device/capabilities.hpp"
#include "device/check.hpp"
#include "device/device_query.hpp"
#include "device/device_record.hpp"
#include "device/entry_points.hpp"
#include "device/quirks.hpp"
#include "device/sub_device.hpp"

namespace anycl {
namespace {

using namespace detail;

using Properties = std::vector<cl_device_partition_property>;

std::string name_of(const Device& device) { return fmt::format("'{}' ({})", device.name(), device.platform_alias()); }

/// A way to divide devices, as messages and Capabilities name it.
struct Way {
  std::string_view words;
  bool Partitioning::*known;
};

constexpr Way kEqually{"equally", &Partitioning::equally};
constexpr Way kByCounts{"by counts", &Partitioning::by_counts};
constexpr Way kByNumaDomain{"by NUMA domain", &Partitioning::by_numa_domain};

/// Some drivers have no code behind clCreateSubDevices: it is called only where they say that they can.
void check_supported(const Device& device, const Way& way) {
  const auto& partitioning = device.capabilities().partitioning;
  if (!partitioning)
    throw Unsupported(fmt::format("partition: {} cannot be divided: it has no sub-devices", name_of(device)));
  if ((*partitioning).*way.known) return;
  std::vector<std::string_view> others;
  for (const Way& other : {kEqually, kByCounts, kByNumaDomain})
    if ((*partitioning).*other.known) others.push_back(other.words);
  throw Unsupported(fmt::format("partition: {} cannot be divided {}, only {}", name_of(device), way.words,
                                fmt::join(others, " and ")));
}

/// What clCreateSubDevices makes, none of it lost whatever happens then.
std::vector<SubDevice> make_sub_devices(const Device& device, const Properties& properties) {
  constexpr cl_uint kMost = 4096;  // a driver that counts more is mistaken
  const cl_device_id whole = device.record().device;
  cl_uint count = 0;
  cl_int code = clCreateSubDevices(whole, properties.data(), 0, nullptr, &count);
  if (code == CL_SUCCESS && (count == 0 || count > kMost)) code = CL_DEVICE_PARTITION_FAILED;
  std::vector<cl_device_id> handles(code == CL_SUCCESS ? count : 0, nullptr);
  std::vector<SubDevice> parts;
  parts.reserve(handles.size());
  if (code == CL_SUCCESS) code = clCreateSubDevices(whole, properties.data(), count, handles.data(), nullptr);
  if (code == CL_DEVICE_PARTITION_FAILED)
    throw Unsupported(fmt::format("partition: the driver of {} cannot divide its {} compute units so ({})",
                                  name_of(device), device.capabilities().compute_units, describe_code(code)));
  check_cl(code, "clCreateSubDevices", name_of(device));
  const bool stay = device.record().faults.sub_device_release_races;
  for (const cl_device_id handle : handles)
    parts.emplace_back(handle, stay ? SubDevice::AtEnd::leave : SubDevice::AtEnd::release);
  return parts;
}

/// The whole in all but what a part has of its own.
Device describe_part(const Device& whole, SubDevice part, const std::string& place, const QuirkOverrides& overrides) {
  auto record = std::make_shared<DeviceRecord>(whole.record());
  record->device = part.handle();
  record->parent = whole;
  record->sub_device = std::make_shared<const SubDevice>(std::move(part));
  record->id = fmt::format("{}/{}", whole.id(), place);
  record->capabilities = read_capabilities(DeviceQuery(record->device), record->platform_version);
  record->faults = {};
  apply_quirks(*record, overrides);
  return Device(std::move(record));
}

/// `place_of(i)` tells part `i` from the others for good.
template <class PlaceOf>
std::vector<Device> partition(const Device& device, const Properties& properties, PlaceOf&& place_of) {
  check_not_forked();
  SubDevice::watch_process_end();
  std::vector<SubDevice> parts = make_sub_devices(device, properties);
  const auto overrides = QuirkOverrides::from_environment();
  std::vector<Device> devices;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].handle() != nullptr)
      devices.push_back(describe_part(device, std::move(parts[i]), place_of(i), overrides));
  return devices;
}

std::string unit_range(std::uint32_t first, std::uint32_t count) {
  return fmt::format("units-{}-{}", first, first + count - 1);
}

void check_counts(const Device& device, std::span<const std::uint32_t> counts) {
  if (counts.empty()) throw InvalidArgument("partition: the list of counts is empty");
  if (const auto zero = std::find(counts.begin(), counts.end(), 0u); zero != counts.end())
    throw InvalidArgument(fmt::format("partition: count {} of {} is 0", zero - counts.begin() + 1, counts.size()));
  const auto sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (const auto units = device.capabilities().compute_units; sum > units)
    throw InvalidArgument(fmt::format("partition: {} = {} compute units asked for, but {} has {}",
                                      fmt::join(counts, " + "), sum, name_of(device), units));
}

void check_part_count(const Device& device, std::size_t parts) {
  const std::uint32_t most = device.capabilities().partitioning->max_sub_devices;
  if (parts > most)
    throw InvalidArgument(fmt::format("partition: {} parts asked for, but {} can be divided into {} at most", parts,
                                      name_of(device), most));
}

}  // namespace

std::vector<Device> partition_equally(const Device& device, std::uint32_t units_each) {
  if (const auto units = device.capabilities().compute_units; units_each == 0 || units_each > units)
    throw InvalidArgument(fmt::format("partition: parts of {} compute units asked for, but {} has {}", units_each,
                                      name_of(device), units));
  check_supported(device, kEqually);
  return partition(device, {CL_DEVICE_PARTITION_EQUALLY, static_cast<cl_device_partition_property>(units_each), 0},
                   [=](std::size_t i) { return unit_range(static_cast<std::uint32_t>(i) * units_each, units_each); });
}

std::vector<Device> partition_by_counts(const Device& device, std::span<const std::uint32_t> counts) {
  check_counts(device, counts);
  check_supported(device, kByCounts);
  check_part_count(device, counts.size());
  Properties properties{CL_DEVICE_PARTITION_BY_COUNTS};
  properties.insert(properties.end(), counts.begin(), counts.end());
  properties.insert(properties.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  return partition(device, properties, [&](std::size_t i) {
    return unit_range(std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(i), 0u), counts[i]);
  });
}

std::vector<Device> partition_by_numa_domain(const Device& device) {
  check_supported(device, kByNumaDomain);
  return partition(device, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0},
                   [](std::size_t i) { return fmt::format("numa-{}", i); });
}

}  // namespace anycl
