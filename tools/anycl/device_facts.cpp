#include "device_facts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "quantity.hpp"

namespace anycl::command {

std::string place_text(const PciPlace& place) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", place.domain, place.bus, place.device, place.function);
}

namespace {

std::string text_of(const Version& version) {
  if (version.patch == 0) return fmt::format("{}.{}", version.major, version.minor);
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

std::string text_of(const std::array<std::byte, 16>& uuid) {
  std::string text;
  for (const std::byte byte : uuid) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

Json json_of(bool value) { return value; }
Json json_of(std::uint32_t value) { return value; }
Json json_of(std::uint64_t value) { return value; }
template <std::size_t N>
Json json_of(const std::array<std::size_t, N>& sizes) {
  return sizes;
}
Json json_of(const Version& version) { return text_of(version); }
Json json_of(const PciPlace& place) { return place_text(place); }
Json json_of(const std::array<std::byte, 16>& uuid) { return text_of(uuid); }

Json json_of(const SvmKinds& svm) {
  return {{"coarse_grain_buffer", svm.coarse_grain_buffer},
          {"fine_grain_buffer", svm.fine_grain_buffer},
          {"fine_grain_system", svm.fine_grain_system},
          {"atomics", svm.atomics}};
}

Json json_of(const UsmKinds& usm) {
  return {{"host", usm.host},
          {"device", usm.device},
          {"shared", usm.shared},
          {"shared_across_devices", usm.shared_across_devices},
          {"shared_system", usm.shared_system}};
}

Json json_of(const FloatAtomics& atomics) {
  return {{"global_load_store", atomics.global_load_store},
          {"global_add", atomics.global_add},
          {"global_min_max", atomics.global_min_max},
          {"local_load_store", atomics.local_load_store},
          {"local_add", atomics.local_add},
          {"local_min_max", atomics.local_min_max}};
}

Json json_of(const Partitioning& partitioning) {
  return {{"max_sub_devices", partitioning.max_sub_devices},
          {"equally", partitioning.equally},
          {"by_counts", partitioning.by_counts},
          {"by_numa_domain", partitioning.by_numa_domain}};
}

template <class T>
Json known(const std::optional<T>& fact);

Json json_of(const SubGroups& groups) {
  return {{"max_per_group", known(groups.max_per_group)},
          {"sizes", groups.sizes},
          {"independent_progress", known(groups.independent_progress)}};
}

Json json_of(const ImageLimits& limits) {
  return {{"max_2d_pixels", known(limits.max_2d)},
          {"max_3d_pixels", known(limits.max_3d)},
          {"max_array_layers", known(limits.max_array_layers)},
          {"max_buffer_pixels", known(limits.max_buffer_pixels)},
          {"max_samplers", known(limits.max_samplers)},
          {"max_read_arguments", known(limits.max_read_arguments)},
          {"max_write_arguments", known(limits.max_write_arguments)},
          {"max_read_write_arguments", known(limits.max_read_write_arguments)}};
}

template <class T>
Json known(const std::optional<T>& fact) {
  return fact ? json_of(*fact) : Json(nullptr);
}

Json json_of(const VectorWidths& widths) {
  return {{"int8", known(widths.int8)},   {"int16", known(widths.int16)}, {"int32", known(widths.int32)},
          {"int64", known(widths.int64)}, {"fp16", known(widths.fp16)},   {"fp32", known(widths.fp32)},
          {"fp64", known(widths.fp64)}};
}

Json json_of(const std::vector<Version>& versions) {
  Json list = Json::array();
  for (const Version& version : versions) list.push_back(text_of(version));
  return list;
}

Json json_of(const std::vector<NamedVersion>& entries) {
  Json list = Json::array();
  for (const auto& [name, version] : entries) list.push_back({{"name", name}, {"version", text_of(version)}});
  return list;
}

Json json_of(const std::vector<KnownFault>& faults) {
  Json list = Json::array();
  for (const auto& [name, what] : faults) list.push_back({{"name", name}, {"what", what}});
  return list;
}

void add_names(Json& facts, const Device& device) {
  const Capabilities& has = device.capabilities();
  facts["driver"] = device.platform_alias();
  facts["kind"] = to_string(device.kind());
  facts["name"] = device.name();
  facts["vendor"] = device.vendor();
  facts["vendor_id"] = has.vendor_id ? Json(fmt::format("0x{:04x}", *has.vendor_id)) : Json(nullptr);
  facts["id"] = device.id();
  facts["uuid"] = known(has.uuid);
  facts["pci_place"] = known(has.pci_place);
  facts["platform"] = device.platform_name();
  facts["platform_version"] = device.platform_version();
  facts["driver_version"] = device.driver_version();
}

void add_versions(Json& facts, const Capabilities& has) {
  facts["opencl_version"] = has.opencl_version;
  facts["opencl_c_version"] = has.opencl_c_version;
  facts["opencl"] = known(has.opencl);
  facts["opencl_c"] = known(has.opencl_c);
  facts["opencl_c_versions"] = json_of(has.opencl_c_versions);
  facts["platform_opencl"] = known(has.platform_opencl);
  facts["extensions"] = has.extensions;
  facts["extension_versions"] = json_of(has.extension_versions);
  facts["c_features"] = has.c_features;
  facts["intermediate_languages"] = json_of(has.intermediate_languages);
}

void add_memory(Json& facts, const Capabilities& has) {
  facts["global_memory_bytes"] = has.global_memory_bytes;
  facts["max_allocation_bytes"] = has.max_allocation_bytes;
  facts["local_memory_bytes"] = has.local_memory_bytes;
  facts["local_memory_dedicated"] = known(has.local_memory_dedicated);
  facts["max_constant_bytes"] = known(has.max_constant_bytes);
  facts["cache_bytes"] = known(has.cache_bytes);
  facts["cache_line_bytes"] = known(has.cache_line_bytes);
  facts["base_alignment_bytes"] = known(has.base_alignment_bytes);
  facts["address_bits"] = has.address_bits;
  facts["host_unified_memory"] = has.host_unified_memory;
  facts["error_correction"] = known(has.error_correction);
  facts["little_endian"] = known(has.little_endian);
  facts["svm"] = known(has.svm);
  facts["usm"] = known(has.usm);
}

void add_execution(Json& facts, const Capabilities& has) {
  facts["available"] = has.available;
  facts["has_compiler"] = has.has_compiler;
  facts["compute_units"] = has.compute_units;
  facts["clock_mhz"] = has.clock_mhz;
  facts["max_group_size"] = has.max_group_size;
  facts["max_item_sizes"] = has.max_item_sizes;
  facts["preferred_group_multiple"] = known(has.preferred_group_multiple);
  facts["non_uniform_groups"] = known(has.non_uniform_groups);
  facts["sub_groups"] = known(has.sub_groups);
  facts["max_parameter_bytes"] = known(has.max_parameter_bytes);
  facts["queues"] = {{"out_of_order", known(has.queues.out_of_order)},
                     {"profiling", known(has.queues.profiling)},
                     {"on_device", known(has.queues.on_device)}};
  facts["command_buffer_version"] = known(has.command_buffer_version);
  facts["mutable_dispatch_version"] = known(has.mutable_dispatch_version);
  facts["partitioning"] = known(has.partitioning);
  facts["timer_resolution_ns"] = known(has.timer_resolution_ns);
  facts["timestamps_trusted"] = has.timestamps_trusted;
  facts["max_loop_iterations"] = known(has.max_loop_iterations);
}

void add_arithmetic(Json& facts, const Capabilities& has) {
  facts["fp64"] = has.fp64;
  facts["fp16"] = has.fp16;
  facts["correctly_rounded_divide_sqrt"] = has.correctly_rounded_divide_sqrt;
  facts["atomics"] = {{"int64_base", has.atomics.int64_base},
                      {"int64_extended", has.atomics.int64_extended},
                      {"fp16", known(has.atomics.fp16)},
                      {"fp32", known(has.atomics.fp32)},
                      {"fp64", known(has.atomics.fp64)}};
  facts["preferred_vector_widths"] = json_of(has.preferred_vector_widths);
  facts["native_vector_widths"] = json_of(has.native_vector_widths);
  facts["images"] = has.images;
  facts["image_limits"] = known(has.image_limits);
}

/// "1.50 MiB (1572864)" of "cache_bytes"
std::string readable_number(std::string_view name, std::uint64_t number) {
  if (name.ends_with("_bytes"))
    return number < 1024 ? bytes_text(number) : fmt::format("{} ({})", bytes_text(number), number);
  if (name.ends_with("_ns")) return duration_text(number);
  if (name.ends_with("_mhz")) return fmt::format("{} MHz", number);
  if (name.ends_with("_bits")) return fmt::format("{} bits", number);
  if (name.ends_with("_pixels")) return fmt::format("{} pixels", number);
  return std::to_string(number);
}

std::string readable_value(std::string_view name, const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number()) return readable_number(name, value.get<std::uint64_t>());
  return value.get<std::string>();
}

/// Limits of several dimensions, "16384 x 16384", or a list of words or numbers.
std::string readable_list(std::string_view name, const Json& list) {
  const bool dimensions = name.substr(name.rfind('.') + 1).starts_with("max_");
  std::vector<std::string> words;
  for (const Json& value : list) words.push_back(readable_value("", value));
  return fmt::format("{}", fmt::join(words, dimensions ? " x " : " "));
}

bool is_list_of_objects(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

using Lines = std::vector<std::pair<std::string, std::string>>;

void add_lines(Lines& lines, const std::string& name, const Json& value) {
  if (is_list_of_objects(value)) {  // of a name and one more
    for (const Json& entry : value)
      lines.emplace_back(fmt::format("{}.{}", name, entry.begin()->get<std::string>()),
                         std::prev(entry.end())->get<std::string>());
  } else if (value.is_object()) {
    for (const auto& [member, inner] : value.items()) add_lines(lines, fmt::format("{}.{}", name, member), inner);
  } else if (value.is_array()) {
    if (!value.empty()) lines.emplace_back(name, readable_list(name, value));
  } else if (value != Json("")) {
    lines.emplace_back(name, readable_value(name, value));
  }
}

}  // namespace

Json device_facts(const Device& device) {
  Json facts;
  const Capabilities& has = device.capabilities();
  add_names(facts, device);
  add_versions(facts, has);
  add_execution(facts, has);
  add_memory(facts, has);
  add_arithmetic(facts, has);
  facts["known_faults"] = json_of(has.known_faults);
  return facts;
}

std::vector<std::pair<std::string, std::string>> readable_facts(const Json& facts) {
  Lines lines;
  for (const auto& [name, value] : facts.items()) add_lines(lines, name, value);
  return lines;
}

}  // namespace anycl::command
