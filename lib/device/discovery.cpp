#include <algorithm>
#include <tuple>

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include "base/digest.hpp"
#include "base/environment.hpp"
#include "device/capabilities.hpp"
#include "device/device_query.hpp"
#include "device/device_record.hpp"
#include "device/doubles.hpp"
#include "device/entry_points.hpp"
#include "device/info.hpp"
#include "device/known_devices.hpp"
#include "device/native_lists.hpp"
#include "device/probe.hpp"
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

/// Whether a GPU is part of the processor. NVIDIA tells so outright. Intel's processors all have theirs at 00:02.0, where
/// no card is (buses of other makers mean nothing: virtual machines show cards on bus 0 too). Else it is the device that
/// shares the host's memory; one that does not say is taken for a card.
bool is_integrated(const DeviceQuery& query, const Capabilities& facts) {
  constexpr cl_uint kIntel = 0x8086;
  constexpr PciPlace kIntelGraphics{.device = 2};
  if (facts.has_extension("cl_nv_device_attribute_query"))
    if (const auto integrated = query.flag(CL_DEVICE_INTEGRATED_MEMORY_NV)) return *integrated;
  if (facts.vendor_id == kIntel && facts.pci_place == kIntelGraphics) return true;
  return facts.host_unified_memory;
}

/// Drivers that compute what another device would: Oclgrind, Intel's for its FPGA cards.
bool is_emulator(const Platform& platform) {
  return platform.alias == "oclgrind" || platform.name.find("Emulation") != std::string::npos;
}

DeviceKind kind_of(const DeviceQuery& query, const Platform& platform, const Capabilities& facts) {
  if (is_emulator(platform)) return DeviceKind::emulator;
  const auto type = query.value<cl_device_type>(CL_DEVICE_TYPE).value_or(0);
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceKind::cpu;
  if ((type & CL_DEVICE_TYPE_GPU) == 0) return DeviceKind::accelerator;
  return is_integrated(query, facts) ? DeviceKind::integrated_gpu : DeviceKind::discrete_gpu;
}

std::string stable_id(const DeviceRecord& record, std::size_t ordinal) {
  const Capabilities& facts = record.capabilities;
  if (facts.uuid) return "uuid-" + to_hex(*facts.uuid);
  if (facts.pci_place) return pci_text(*facts.pci_place);
  return fmt::format("{}-{}-{}", record.platform_alias, record.name, ordinal);
}

/// What one look at all devices goes by and finds besides them.
struct Survey {
  KnownDevices* known = KnownDevices::instance();
  QuirkOverrides overrides = QuirkOverrides::from_environment();
  std::string overrides_text = environment("ANYCL_QUIRKS").value_or("");
  std::vector<std::string> warnings{};
};

std::shared_ptr<const DeviceRecord> ask_device(const DeviceQuery& query, cl_platform_id platform_id,
                                               cl_device_id device_id, const Platform& platform, std::size_t ordinal,
                                               Survey& survey) {
  auto record = std::make_shared<DeviceRecord>();
  record->platform = platform_id;
  record->device = device_id;
  record->name = query.text(CL_DEVICE_NAME);
  if (record->name.empty()) {
    record->name = fmt::format("unnamed device {}", ordinal);
    survey.warnings.push_back(fmt::format("platform '{}': device {} does not tell its name", platform.name, ordinal));
  }
  record->vendor = query.text(CL_DEVICE_VENDOR);
  record->driver_version = query.text(CL_DRIVER_VERSION);
  record->platform_name = platform.name;
  record->platform_version = platform.version;
  record->platform_alias = platform.alias;
  record->capabilities = read_capabilities(query, platform.version);
  record->kind = kind_of(query, platform, record->capabilities);
  record->id = stable_id(*record, ordinal);
  apply_quirks(*record, survey.overrides);
  return record;
}

/// Facts stay while the process lives, but for whether the device is there.
Device describe_device(cl_platform_id platform_id, cl_device_id device_id, const Platform& platform,
                       std::size_t ordinal, Survey& survey) {
  const DeviceQuery query(device_id);
  if (survey.known != nullptr) {
    const auto record = survey.known->find(device_id, survey.overrides_text);
    if (record != nullptr && record->capabilities.available == query.flag(CL_DEVICE_AVAILABLE).value_or(false))
      return Device(record);
  }
  const std::size_t warnings = survey.warnings.size();
  auto record = ask_device(query, platform_id, device_id, platform, ordinal, survey);
  if (survey.known != nullptr && survey.warnings.size() == warnings) survey.known->add(record, survey.overrides_text);
  return Device(std::move(record));
}

Platform describe_platform(cl_platform_id id, Survey& survey) {
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
    platform.devices.push_back(describe_device(id, devices[i], platform, i, survey));
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
  const DriverProbe& probe = driver_probe();
  Survey survey{.warnings = probe.warnings};
  for (const cl_platform_id id : list_platforms())
    if (!probe.leaves_out(id)) discovery.platforms.push_back(describe_platform(id, survey));
  discovery.warnings = std::move(survey.warnings);
  std::sort(discovery.warnings.begin(), discovery.warnings.end());
  std::stable_sort(discovery.platforms.begin(), discovery.platforms.end(), [](const Platform& a, const Platform& b) {
    return std::tie(a.alias, a.name, a.version) < std::tie(b.alias, b.name, b.version);
  });
  drop_doubles(discovery);
  add_warnings(discovery);
  return discovery;
}

}  // namespace anycl
