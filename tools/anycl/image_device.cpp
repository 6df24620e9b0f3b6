#include "image_device.hpp"

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device_list.hpp"
#include "quantity.hpp"

namespace anycl::command {

ImageDevice::ImageDevice(std::string_view selection) : ImageDevice(selection, discover()) {}

ImageDevice::ImageDevice(std::string_view selection, const Discovery& discovery)
    : found_(discovery.devices()),
      chosen_(choose_devices(discovery, selection).front()),
      context_(std::span(&chosen_.device, 1)),
      queue_(context_, chosen_.device, {.profiling = true}) {}

void ImageDevice::describe(Table& table) const {
  std::vector<std::string> titles;
  for (const Device& device : found_) titles.push_back(title(device));
  table.add({"devices", fmt::format("{} found: {}", titles.size(), fmt::join(titles, ", "))});
  table.add({"chosen", fmt::format("{}: {}", title(chosen_.device), chosen_.reason)});
}

void ImageDevice::describe(Json& document) const {
  document["devices_found"] = Json::array();
  for (const Device& device : found_) document["devices_found"].push_back(device_name(device));
  document["device"] = device_name(chosen_.device);
  document["device"]["reason"] = chosen_.reason;
}

void ImageDevice::describe_kernels(Table& table) const {
  const KernelCacheStatistics counts = kernel_cache_statistics(context_);
  table.add({"kernels", fmt::format("{} built, {} taken from the cache, in {}", counts.built, counts.from_disk,
                                    duration_text(counts.build_ns))});
}

void ImageDevice::describe_kernels(Json& document) const {
  const KernelCacheStatistics counts = kernel_cache_statistics(context_);
  document["kernels"] = {{"built", counts.built},
                         {"from_disk", counts.from_disk},
                         {"from_memory", counts.from_memory},
                         {"bad_entries", counts.bad_entries},
                         {"build_ns", counts.build_ns}};
}

}  // namespace anycl::command
