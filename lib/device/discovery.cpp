#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/digest.hpp"
#include "base/environment.hpp"
#include "base/plain_line.hpp"
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
  return plain_line(read_text(info(&clGetPlatformInfo, platform, what)).value_or(""));
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
  record->name = plain_line(query.text(CL_DEVICE_NAME));
  if (record->name.empty()) {
    record->name = fmt::format("unnamed device {}", ordinal);
    survey.warnings.push_back(fmt::format("platform '{}': device {} does not tell its name", platform.name, ordinal));
  }
  record->vendor = plain_line(query.text(CL_DEVICE_VENDOR));
  record->driver_version = plain_line(query.text(CL_DRIVER_VERSION));
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

std::string why_empty(const Platform& platform, cl_int refusal) {
  if (refusal == CL_SUCCESS) return fmt::format("platform '{}' has no device", platform.name);
  return fmt::format("platform '{}' does not tell its devices: {}", platform.name, describe_code(refusal));
}

Platform describe_platform(cl_platform_id id, Survey& survey) {
  Platform platform;
  platform.name = platform_text(id, CL_PLATFORM_NAME);
  platform.vendor = platform_text(id, CL_PLATFORM_VENDOR);
  platform.version = platform_text(id, CL_PLATFORM_VERSION);
  if (platform.name.empty()) platform.name = "unnamed platform";
  platform.alias = alias_of(platform.name);
  const auto devices = list_devices(id);
  for (std::size_t i = 0; i < devices.handles.size(); ++i)
    platform.devices.push_back(describe_device(id, devices.handles[i], platform, i, survey));
  if (platform.devices.empty()) survey.warnings.push_back(why_empty(platform, devices.refusal));
  return platform;
}

/// What tells `device` from another one of its driver that has the same name.
auto order_in_driver(const Device& device) { return std::tie(device.driver_version(), device.name(), device.id()); }

bool comes_before(const Platform& a, const Platform& b) {
  const auto key = [](const Platform& platform) { return std::tie(platform.alias, platform.name, platform.version); };
  if (key(a) != key(b)) return key(a) < key(b);
  return std::lexicographical_compare(
      a.devices.begin(), a.devices.end(), b.devices.begin(), b.devices.end(),
      [](const Device& x, const Device& y) { return order_in_driver(x) < order_in_driver(y); });
}

/// A changed copy in the place of `device`.
template <class Change>
void replace_record(Device& device, Change&& change) {
  auto record = std::make_shared<DeviceRecord>(device.record());
  change(*record);
  device = Device(std::move(record));
}

void note_faulty_compilers(Discovery& discovery, const DriverProbe& probe) {
  if (probe.faulty_compilers.empty()) return;
  for (Platform& platform : discovery.platforms)
    for (Device& device : platform.devices)
      if (const auto* compiler = probe.find_compiler(device.record().platform, device.id()))
        replace_record(device, [&](DeviceRecord& record) { record.compiler_fault = compiler->reason; });
}

/// An id names one device of a driver: of those that share it, as tiles of a card at one place, the later ones get a number.
void make_ids_unique(Discovery& discovery) {
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  for (Platform& platform : discovery.platforms)
    for (Device& device : platform.devices) {
      const std::size_t before = seen[{device.platform_alias(), device.id()}]++;
      if (before != 0) replace_record(device, [&](DeviceRecord& record) { record.id += fmt::format("#{}", before); });
    }
}

/// Sorts, and says what is said several times once.
void tidy(std::vector<std::string>& warnings) {
  std::sort(warnings.begin(), warnings.end());
  std::vector<std::string> lines;
  for (auto begin = warnings.begin(); begin != warnings.end();) {
    const auto end = std::upper_bound(begin, warnings.end(), *begin);
    lines.push_back(end - begin == 1 ? *begin : fmt::format("{} ({} times)", *begin, end - begin));
    begin = end;
  }
  warnings = std::move(lines);
}

Discovery look() {
  Discovery discovery;
  discovery.loader = entry_points().library;
  const DriverProbe& probe = driver_probe();
  Survey survey{.warnings = probe.warnings};
  const auto platforms = list_platforms();
  if (platforms.refusal != CL_SUCCESS)
    survey.warnings.push_back(
        fmt::format("the OpenCL loader does not tell its platforms: {}", describe_code(platforms.refusal)));
  for (const cl_platform_id id : platforms.handles)
    if (!probe.leaves_out(id)) discovery.platforms.push_back(describe_platform(id, survey));
  discovery.warnings = std::move(survey.warnings);
  std::stable_sort(discovery.platforms.begin(), discovery.platforms.end(), comes_before);
  drop_doubles(discovery);
  make_ids_unique(discovery);
  note_faulty_compilers(discovery, probe);
  tidy(discovery.warnings);
  return discovery;
}

}  // namespace

Discovery discover() {
  check_not_forked();
  // Drivers set themselves up at the first call, and not all can do that in two threads at once (PoCL 3.1: crashes, or
  // no device). Never destroyed: devices may be listed while the process ends.
  static std::mutex& one_at_a_time = *new std::mutex;
  const std::lock_guard lock(one_at_a_time);
  return look();
}

}  // namespace anycl
