#include <algorithm>
#include <array>
#include <sstream>

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include "base/digest.hpp"
#include "device/device_record.hpp"
#include "device/entry_points.hpp"
#include "device/info.hpp"
#include "device/quirks.hpp"

namespace anycl {
namespace {

using namespace detail;

struct Alias {
  std::string_view name_part;
  std::string_view alias;
};

constexpr Alias kAliases[] = {
    {"Portable Computing Language", "pocl"},
    {"Intel", "intel"},
    {"rusticl", "rusticl"},
    {"Clover", "clover"},
    {"NVIDIA", "nvidia"},
    {"AMD", "amd"},
    {"Oclgrind", "oclgrind"},
    {"Apple", "apple"},
    {"ARM", "arm"},
    {"QUALCOMM", "qualcomm"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return result;
}

std::string alias_of(const std::string& platform_name) {
  for (const auto& [part, alias] : kAliases)
    if (platform_name.find(part) != std::string::npos) return std::string(alias);
  return lower(platform_name.substr(0, platform_name.find(' ')));
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  return read_text(info(&clGetPlatformInfo, platform, what)).value_or("");
}

/// One device being asked; each answer is a default when the driver gives none.
class DeviceQuery {
 public:
  explicit DeviceQuery(cl_device_id device) : device_(device) {}

  template <class T>
  [[nodiscard]] T value(cl_device_info what, T fallback = {}) const {
    return read_value<T>(info(&clGetDeviceInfo, device_, what)).value_or(fallback);
  }
  [[nodiscard]] bool flag(cl_device_info what, bool fallback = false) const {
    return value<cl_bool>(what, fallback ? CL_TRUE : CL_FALSE) != CL_FALSE;
  }
  [[nodiscard]] std::string text(cl_device_info what) const {
    return read_text(info(&clGetDeviceInfo, device_, what)).value_or("");
  }
  template <class T>
  [[nodiscard]] std::vector<T> array(cl_device_info what) const {
    return read_array<T>(info(&clGetDeviceInfo, device_, what)).value_or(std::vector<T>{});
  }

 private:
  cl_device_id device_;
};

std::vector<std::string> sorted_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::sort(words.begin(), words.end());
  return words;
}

Capabilities read_capabilities(const DeviceQuery& query) {
  Capabilities facts;
  facts.opencl_version = query.text(CL_DEVICE_VERSION);
  facts.opencl_c_version = query.text(CL_DEVICE_OPENCL_C_VERSION);
  facts.extensions = sorted_words(query.text(CL_DEVICE_EXTENSIONS));
  facts.compute_units = query.value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  facts.clock_mhz = query.value<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY);
  facts.global_memory_bytes = query.value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.max_allocation_bytes = query.value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.local_memory_bytes = query.value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  facts.max_group_size = std::max<size_t>(1, query.value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE, 1));
  const auto item_sizes = query.array<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, item_sizes.size()); ++i)
    facts.max_item_sizes[i] = std::max<size_t>(1, item_sizes[i]);
  facts.address_bits = query.value<cl_uint>(CL_DEVICE_ADDRESS_BITS);
  facts.available = query.flag(CL_DEVICE_AVAILABLE);
  facts.has_compiler = query.flag(CL_DEVICE_COMPILER_AVAILABLE);
  facts.host_unified_memory = query.flag(CL_DEVICE_HOST_UNIFIED_MEMORY);
  facts.images = query.flag(CL_DEVICE_IMAGE_SUPPORT);
  facts.fp16 = facts.has_extension("cl_khr_fp16");
  facts.fp64 = facts.has_extension("cl_khr_fp64");
  facts.timestamps_trusted = query.value<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION) > 0;
  return facts;
}

DeviceKind kind_of(const DeviceQuery& query, const Platform& platform, const Capabilities& facts) {
  if (platform.alias == "oclgrind") return DeviceKind::emulator;
  const auto type = query.value<cl_device_type>(CL_DEVICE_TYPE);
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceKind::cpu;
  if ((type & CL_DEVICE_TYPE_GPU) == 0) return DeviceKind::accelerator;
  return facts.host_unified_memory ? DeviceKind::integrated_gpu : DeviceKind::discrete_gpu;
}

std::string stable_id(const DeviceQuery& query, const DeviceRecord& record, std::size_t ordinal) {
  if (record.capabilities.has_extension("cl_khr_device_uuid")) {
    using Uuid = std::array<std::byte, CL_UUID_SIZE_KHR>;
    const auto uuid = query.value<Uuid>(CL_DEVICE_UUID_KHR);
    if (uuid != Uuid{}) return "uuid-" + to_hex(uuid);
  }
  if (record.capabilities.has_extension("cl_khr_pci_bus_info")) {
    using Place = cl_device_pci_bus_info_khr;
    if (const auto place = read_value<Place>(info(&clGetDeviceInfo, record.device, CL_DEVICE_PCI_BUS_INFO_KHR)))
      return fmt::format("pci-{:04x}:{:02x}:{:02x}.{:x}", place->pci_domain, place->pci_bus, place->pci_device,
                         place->pci_function);
  }
  return fmt::format("{}-{}-{}", record.platform_alias, record.name, ordinal);
}

Device describe_device(cl_platform_id platform_id, cl_device_id device_id, const Platform& platform,
                       std::size_t ordinal) {
  const DeviceQuery query(device_id);
  auto record = std::make_shared<DeviceRecord>();
  record->platform = platform_id;
  record->device = device_id;
  record->name = query.text(CL_DEVICE_NAME);
  if (record->name.empty()) record->name = fmt::format("unnamed device {}", ordinal);
  record->vendor = query.text(CL_DEVICE_VENDOR);
  record->vendor_id = query.value<cl_uint>(CL_DEVICE_VENDOR_ID);
  record->driver_version = query.text(CL_DRIVER_VERSION);
  record->platform_name = platform.name;
  record->platform_version = platform.version;
  record->platform_alias = platform.alias;
  record->capabilities = read_capabilities(query);
  record->kind = kind_of(query, platform, record->capabilities);
  record->id = stable_id(query, *record, ordinal);
  apply_quirks(*record);
  return Device(std::move(record));
}

/// The list behind a "how many, then which" call; empty on any refusal, whatever the count then holds.
template <class Id, class Get>
std::vector<Id> list_ids(Get&& get) {
  cl_uint count = 0;
  if (get(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<Id> ids(count);
  cl_uint filled = 0;
  if (get(count, ids.data(), &filled) != CL_SUCCESS) return {};
  ids.resize(std::min(count, filled));
  return ids;
}

Platform describe_platform(cl_platform_id id) {
  Platform platform;
  platform.name = platform_text(id, CL_PLATFORM_NAME);
  platform.vendor = platform_text(id, CL_PLATFORM_VENDOR);
  platform.version = platform_text(id, CL_PLATFORM_VERSION);
  if (platform.name.empty()) platform.name = "unnamed platform";
  platform.alias = alias_of(platform.name);
  const auto devices = list_ids<cl_device_id>([id](cl_uint size, cl_device_id* ids, cl_uint* count) {
    return clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, size, ids, count);
  });
  for (std::size_t i = 0; i < devices.size(); ++i)
    platform.devices.push_back(describe_device(id, devices[i], platform, i));
  return platform;
}

void add_warnings(Discovery& discovery) {
  for (const auto& platform : discovery.platforms)
    if (platform.devices.empty())
      discovery.warnings.push_back(fmt::format("platform '{}' has no device", platform.name));
}

}  // namespace

Discovery discover() {
  check_not_forked();
  Discovery discovery;
  discovery.loader = entry_points().library;
  const auto ids = list_ids<cl_platform_id>(
      [](cl_uint size, cl_platform_id* platforms, cl_uint* count) { return clGetPlatformIDs(size, platforms, count); });
  for (const cl_platform_id id : ids) discovery.platforms.push_back(describe_platform(id));
  std::stable_sort(discovery.platforms.begin(), discovery.platforms.end(), [](const Platform& a, const Platform& b) {
    return std::tie(a.alias, a.name, a.version) < std::tie(b.alias, b.name, b.version);
  });
  add_warnings(discovery);
  return discovery;
}

}  // namespace anycl
