#include "device/capabilities.hpp"

#include <algorithm>
#include <sstream>

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include "device/version_text.hpp"

namespace anycl {

bool Capabilities::has_extension(std::string_view name) const noexcept {
  return std::binary_search(extensions.begin(), extensions.end(), name);
}

bool Capabilities::has_c_feature(std::string_view name) const noexcept {
  return std::binary_search(c_features.begin(), c_features.end(), name);
}

std::optional<Version> Capabilities::extension_version(std::string_view name) const noexcept {
  const auto found = std::find_if(extension_versions.begin(), extension_versions.end(),
                                  [name](const NamedVersion& entry) { return entry.name == name; });
  if (found == extension_versions.end()) return std::nullopt;
  return found->version;
}

namespace detail {
namespace {

// Not in the CL headers of all systems.
constexpr cl_device_info kPciBusNv = 0x4008;
constexpr cl_device_info kPciSlotNv = 0x4009;
constexpr cl_device_info kPciDomainNv = 0x400A;
constexpr cl_device_info kSingleAtomics = 0x4231;
constexpr cl_device_info kDoubleAtomics = 0x4232;
constexpr cl_device_info kHalfAtomics = 0x4233;
constexpr cl_bitfield kGlobalLoadStore = 1u << 0;
constexpr cl_bitfield kGlobalAdd = 1u << 1;
constexpr cl_bitfield kGlobalMinMax = 1u << 2;
constexpr cl_bitfield kLocalLoadStore = 1u << 16;
constexpr cl_bitfield kLocalAdd = 1u << 17;
constexpr cl_bitfield kLocalMinMax = 1u << 18;

constexpr Version kVersion2{2, 0};
constexpr Version kVersion21{2, 1};
constexpr Version kVersion3{3, 0};

std::vector<std::string> sorted_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::sort(words.begin(), words.end());
  return words;
}

std::optional<bool> any_of(std::optional<cl_bitfield> bits, cl_bitfield wanted) {
  if (!bits) return std::nullopt;
  return (*bits & wanted) != 0;
}

bool holds(const std::vector<cl_device_partition_property>& list, cl_device_partition_property wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

/// "SPIR-V_1.0 SPIR-V_1.2", as devices before OpenCL 3.0 tell.
std::vector<NamedVersion> languages_in(const std::string& text) {
  std::vector<NamedVersion> languages;
  for (const std::string& word : sorted_words(text)) {
    const auto underscore = word.rfind('_');
    if (underscore == std::string::npos) continue;
    if (const auto version = find_version(word.substr(underscore)))
      languages.push_back({word.substr(0, underscore), *version});
  }
  return languages;
}

/// What a compiler takes whose device names the highest. There is no 2.1 and no 2.2, and with 3.0 no promise of 2.0.
std::vector<Version> versions_up_to(const std::optional<Version>& highest) {
  std::vector<Version> versions;
  for (const Version& version : {Version{1, 0}, Version{1, 1}, Version{1, 2}})
    if (version <= highest) versions.push_back(version);
  if (highest >= kVersion2) versions.push_back(highest < kVersion3 ? kVersion2 : *highest);
  return versions;
}

void read_versions(const DeviceQuery& query, std::string_view platform_version, Capabilities& facts) {
  facts.opencl_version = query.text(CL_DEVICE_VERSION);
  facts.opencl_c_version = query.text(CL_DEVICE_OPENCL_C_VERSION);
  facts.opencl = find_version(facts.opencl_version);
  facts.opencl_c = find_version(facts.opencl_c_version);
  facts.platform_opencl = find_version(platform_version);
  facts.extensions = sorted_words(query.text(CL_DEVICE_EXTENSIONS));
  if (facts.opencl >= kVersion3 || facts.has_extension("cl_khr_extended_versioning"))
    facts.extension_versions = query.named_versions(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  if (facts.opencl >= kVersion3) {
    // The text names one version that the device prefers; this is the list of all.
    for (const auto& [name, version] : query.named_versions(CL_DEVICE_OPENCL_C_ALL_VERSIONS))
      facts.opencl_c_versions.push_back(version);
    std::sort(facts.opencl_c_versions.begin(), facts.opencl_c_versions.end());
    for (auto& feature : query.named_versions(CL_DEVICE_OPENCL_C_FEATURES))
      facts.c_features.push_back(std::move(feature.name));
    facts.intermediate_languages = query.named_versions(CL_DEVICE_ILS_WITH_VERSION);
  } else if (facts.opencl >= kVersion21 || facts.has_extension("cl_khr_il_program")) {
    facts.intermediate_languages = languages_in(query.text(CL_DEVICE_IL_VERSION));
  }
  if (facts.opencl_c_versions.empty()) facts.opencl_c_versions = versions_up_to(facts.opencl_c);
  if (!facts.opencl_c_versions.empty())
    facts.opencl_c = std::max(facts.opencl_c, std::optional(facts.opencl_c_versions.back()));
  facts.command_buffer_version = facts.extension_version("cl_khr_command_buffer");
  facts.mutable_dispatch_version = facts.extension_version("cl_khr_command_buffer_mutable_dispatch");
}

std::optional<PciPlace> read_pci_place(const DeviceQuery& query, const Capabilities& facts) {
  if (facts.has_extension("cl_khr_pci_bus_info")) {
    if (const auto place = query.value<cl_device_pci_bus_info_khr>(CL_DEVICE_PCI_BUS_INFO_KHR))
      return PciPlace{place->pci_domain, place->pci_bus, place->pci_device, place->pci_function};
  }
  if (facts.has_extension("cl_nv_device_attribute_query")) {
    const auto bus = query.value<cl_uint>(kPciBusNv);
    const auto slot = query.value<cl_uint>(kPciSlotNv);
    const auto domain = query.value<cl_uint>(kPciDomainNv);
    if (bus && slot) return PciPlace{domain.value_or(0), *bus, *slot >> 3, *slot & 7};  // device and function in one
  }
  if (facts.has_extension("cl_amd_device_attribute_query")) {
    const auto place = query.value<cl_device_topology_amd>(CL_DEVICE_TOPOLOGY_AMD);
    if (place && place->raw.type == CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD)
      return PciPlace{0, static_cast<cl_uchar>(place->pcie.bus), static_cast<cl_uchar>(place->pcie.device),
                      static_cast<cl_uchar>(place->pcie.function)};
  }
  return std::nullopt;
}

void read_identity(const DeviceQuery& query, Capabilities& facts) {
  facts.vendor_id = query.value<cl_uint>(CL_DEVICE_VENDOR_ID);
  facts.pci_place = read_pci_place(query, facts);
  if (!facts.has_extension("cl_khr_device_uuid")) return;
  facts.uuid = query.value<std::array<std::byte, CL_UUID_SIZE_KHR>>(CL_DEVICE_UUID_KHR);
  if (facts.uuid == std::array<std::byte, CL_UUID_SIZE_KHR>{}) facts.uuid.reset();  // promised and not filled in
}

std::optional<std::size_t> read_group_multiple(const DeviceQuery& query, const Capabilities& facts) {
  if (facts.opencl >= kVersion3) return query.value<size_t>(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  if (facts.has_extension("cl_nv_device_attribute_query")) return query.value<cl_uint>(CL_DEVICE_WARP_SIZE_NV);
  if (facts.has_extension("cl_amd_device_attribute_query")) return query.value<cl_uint>(CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  return std::nullopt;
}

void read_groups(const DeviceQuery& query, Capabilities& facts) {
  facts.max_group_size = std::max<size_t>(1, query.value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE).value_or(1));
  const auto item_sizes = query.array<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, item_sizes.size()); ++i)
    facts.max_item_sizes[i] = std::max<size_t>(1, item_sizes[i]);
  facts.preferred_group_multiple = read_group_multiple(query, facts);
  if (facts.opencl >= kVersion3)
    facts.non_uniform_groups = query.flag(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
  else if (facts.opencl >= kVersion2)
    facts.non_uniform_groups = true;  // a duty of OpenCL 2, a choice since
}

std::optional<SubGroups> read_sub_groups(const DeviceQuery& query, const Capabilities& facts) {
  SubGroups found;
  if (facts.opencl >= kVersion21) {
    found.max_per_group = query.value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS);
    found.independent_progress = query.flag(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS);
  }
  const bool by_extension = facts.has_extension("cl_khr_subgroups") || facts.has_extension("cl_intel_subgroups");
  if (found.max_per_group ? found.max_per_group == 0u : !by_extension) return std::nullopt;
  if (facts.has_extension("cl_intel_required_subgroup_size")) {
    found.sizes = query.array<size_t>(CL_DEVICE_SUB_GROUP_SIZES_INTEL);
    std::sort(found.sizes.begin(), found.sizes.end());
  }
  return found;
}

QueueKinds read_queues(const DeviceQuery& query, const Capabilities& facts) {
  QueueKinds queues;
  const auto on_host = query.bits(CL_DEVICE_QUEUE_PROPERTIES);
  queues.out_of_order = any_of(on_host, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  queues.profiling = any_of(on_host, CL_QUEUE_PROFILING_ENABLE);
  if (facts.opencl >= kVersion3)
    queues.on_device = any_of(query.bits(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES), CL_DEVICE_QUEUE_SUPPORTED);
  else if (facts.opencl >= kVersion2)
    queues.on_device = true;  // a duty of OpenCL 2, a choice since
  return queues;
}

std::optional<Partitioning> read_partitioning(const DeviceQuery& query) {
  const auto ways = query.array<cl_device_partition_property>(CL_DEVICE_PARTITION_PROPERTIES);
  const auto domains = query.bits(CL_DEVICE_PARTITION_AFFINITY_DOMAIN).value_or(0);
  Partitioning found;
  found.max_sub_devices = query.value<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES).value_or(0);
  found.equally = holds(ways, CL_DEVICE_PARTITION_EQUALLY);
  found.by_counts = holds(ways, CL_DEVICE_PARTITION_BY_COUNTS);
  found.by_numa_domain =
      holds(ways, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) && (domains & CL_DEVICE_AFFINITY_DOMAIN_NUMA) != 0;
  if (!found.equally && !found.by_counts && !found.by_numa_domain) return std::nullopt;
  return found;
}

void read_execution(const DeviceQuery& query, Capabilities& facts) {
  facts.available = query.flag(CL_DEVICE_AVAILABLE).value_or(false);
  facts.has_compiler = query.flag(CL_DEVICE_COMPILER_AVAILABLE).value_or(false);
  facts.compute_units = query.value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS).value_or(0);
  facts.clock_mhz = query.value<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY).value_or(0);
  read_groups(query, facts);
  facts.sub_groups = read_sub_groups(query, facts);
  facts.max_parameter_bytes = query.value<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE);
  facts.queues = read_queues(query, facts);
  facts.partitioning = read_partitioning(query);
  facts.timer_resolution_ns = query.value<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION);
  facts.timestamps_trusted = facts.timer_resolution_ns.value_or(0) > 0;
}

std::optional<SvmKinds> read_svm(const DeviceQuery& query) {
  const auto kinds = query.bits(CL_DEVICE_SVM_CAPABILITIES);
  if (!kinds) return std::nullopt;
  return SvmKinds{.coarse_grain_buffer = (*kinds & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0,
                  .fine_grain_buffer = (*kinds & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0,
                  .fine_grain_system = (*kinds & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0,
                  .atomics = (*kinds & CL_DEVICE_SVM_ATOMICS) != 0};
}

UsmKinds read_usm(const DeviceQuery& query) {
  const auto accessible = [&](cl_device_info what) {
    return (query.bits(what).value_or(0) & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0;
  };
  return {.host = accessible(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL),
          .device = accessible(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL),
          .shared = accessible(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
          .shared_across_devices = accessible(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
          .shared_system = accessible(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL)};
}

void read_memory(const DeviceQuery& query, Capabilities& facts) {
  facts.global_memory_bytes = query.value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE).value_or(0);
  facts.max_allocation_bytes = query.value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE).value_or(0);
  facts.local_memory_bytes = query.value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE).value_or(0);
  if (const auto type = query.value<cl_device_local_mem_type>(CL_DEVICE_LOCAL_MEM_TYPE))
    facts.local_memory_dedicated = *type == CL_LOCAL;
  facts.max_constant_bytes = query.value<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  facts.cache_bytes = query.value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  facts.cache_line_bytes = query.value<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  if (const auto bits = query.value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN)) facts.base_alignment_bytes = *bits / 8;
  facts.error_correction = query.flag(CL_DEVICE_ERROR_CORRECTION_SUPPORT);
  facts.little_endian = query.flag(CL_DEVICE_ENDIAN_LITTLE);
  facts.address_bits = query.value<cl_uint>(CL_DEVICE_ADDRESS_BITS).value_or(0);
  facts.host_unified_memory = query.flag(CL_DEVICE_HOST_UNIFIED_MEMORY).value_or(false);
  if (facts.opencl >= kVersion2) facts.svm = read_svm(query);
  if (facts.has_extension("cl_intel_unified_shared_memory")) facts.usm = read_usm(query);
}

std::optional<FloatAtomics> read_float_atomics(const DeviceQuery& query, cl_device_info what) {
  const auto kinds = query.bits(what);
  if (!kinds) return std::nullopt;
  return FloatAtomics{.global_load_store = (*kinds & kGlobalLoadStore) != 0,
                      .global_add = (*kinds & kGlobalAdd) != 0,
                      .global_min_max = (*kinds & kGlobalMinMax) != 0,
                      .local_load_store = (*kinds & kLocalLoadStore) != 0,
                      .local_add = (*kinds & kLocalAdd) != 0,
                      .local_min_max = (*kinds & kLocalMinMax) != 0};
}

Atomics read_atomics(const DeviceQuery& query, const Capabilities& facts) {
  Atomics atomics;
  atomics.int64_base = facts.has_extension("cl_khr_int64_base_atomics");
  atomics.int64_extended = facts.has_extension("cl_khr_int64_extended_atomics");
  if (!facts.has_extension("cl_ext_float_atomics")) return atomics;
  atomics.fp32 = read_float_atomics(query, kSingleAtomics);
  if (facts.fp64) atomics.fp64 = read_float_atomics(query, kDoubleAtomics);
  if (facts.fp16) atomics.fp16 = read_float_atomics(query, kHalfAtomics);
  return atomics;
}

void read_arithmetic(const DeviceQuery& query, Capabilities& facts) {
  facts.fp16 = facts.has_extension("cl_khr_fp16");
  facts.fp64 = facts.has_extension("cl_khr_fp64");
  facts.correctly_rounded_divide_sqrt =
      (query.bits(CL_DEVICE_SINGLE_FP_CONFIG).value_or(0) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  facts.atomics = read_atomics(query, facts);
  const auto width = [&](cl_device_info what) { return query.value<cl_uint>(what); };
  facts.preferred_vector_widths = {.int8 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR),
                                   .int16 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT),
                                   .int32 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT),
                                   .int64 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG),
                                   .fp16 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
                                   .fp32 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
                                   .fp64 = width(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE)};
  facts.native_vector_widths = {.int8 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR),
                                .int16 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT),
                                .int32 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT),
                                .int64 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG),
                                .fp16 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
                                .fp32 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT),
                                .fp64 = width(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)};
}

/// Sizes of which all are known.
template <std::size_t N>
std::optional<std::array<std::size_t, N>> read_sizes(const DeviceQuery& query, const cl_device_info (&which)[N]) {
  std::array<std::size_t, N> sizes{};
  for (std::size_t i = 0; i < N; ++i) {
    const auto size = query.value<size_t>(which[i]);
    if (!size) return std::nullopt;
    sizes[i] = *size;
  }
  return sizes;
}

void read_images(const DeviceQuery& query, Capabilities& facts) {
  facts.images = query.flag(CL_DEVICE_IMAGE_SUPPORT).value_or(false);
  if (!facts.images) return;
  ImageLimits& limits = facts.image_limits.emplace();
  limits.max_2d = read_sizes(query, {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT});
  limits.max_3d =
      read_sizes(query, {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH});
  limits.max_array_layers = query.value<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  limits.max_buffer_pixels = query.value<size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
  limits.max_samplers = query.value<cl_uint>(CL_DEVICE_MAX_SAMPLERS);
  limits.max_read_arguments = query.value<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS);
  limits.max_write_arguments = query.value<cl_uint>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS);
  if (facts.opencl >= kVersion2)
    limits.max_read_write_arguments = query.value<cl_uint>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS);
}

}  // namespace

Capabilities read_capabilities(const DeviceQuery& query, std::string_view platform_version) {
  Capabilities facts;
  read_versions(query, platform_version, facts);  // first: they say which queries the others may make
  read_identity(query, facts);
  read_execution(query, facts);
  read_memory(query, facts);
  read_arithmetic(query, facts);
  read_images(query, facts);
  return facts;
}

std::string pci_text(const PciPlace& place) {
  return fmt::format("pci-{:04x}:{:02x}:{:02x}.{:x}", place.domain, place.bus, place.device, place.function);
}

}  // namespace detail
}  // namespace anycl
