#include "device/quirks.hpp"

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "base/logging.hpp"
#include "device/version_text.hpp"

namespace anycl::detail {
namespace {

constexpr std::uint32_t kIntel = 0x8086;

constexpr Quirk kQuirks[] = {
    {.name = "rusticl_loop_end",
     .reason = "Mesa 22.3: all loops of a work-item together end silently after 65,535 iterations",
     .platform_alias = "rusticl",
     .name_part = "llvmpipe",
     .faults = {.max_loop_iterations = 65535}},
    {.name = "rusticl_time_stamps",
     .reason = "Mesa 22.3: time stamps move in steps of 1 ns per command, whatever the command takes",
     .platform_alias = "rusticl",
     .until = Version{24, 0},
     .faults = {.timestamps_untrusted = true}},
    {.name = "rusticl_global_size",
     .reason = "Mesa 22.3: a global size over 2^32 - 1 in a dimension is refused or ends the process",
     .platform_alias = "rusticl",
     .faults = {.max_global_items = std::numeric_limits<std::uint32_t>::max()}},
    {.name = "pocl_global_size",
     .reason = "PoCL 3.1: more than 2^63 - 1 work-items end the process",
     .platform_alias = "pocl",
     .faults = {.max_total_items = std::numeric_limits<std::int64_t>::max()}},
    {.name = "pocl_binary_query",
     .reason = "PoCL 3.1: asking for a program's binary compiles all of it and stops launches of that program",
     .platform_alias = "pocl",
     .faults = {.binary_query_blocks = true}},
    {.name = "pocl_build_race",
     .reason = "PoCL 3.1: a build removes and writes again what another process has built and a third one is reading",
     .platform_alias = "pocl",
     .faults = {.build_races = true}},
    {.name = "pocl_sub_device_release",
     .reason =
         "PoCL 3.1: a sub-device released right after its last work crashes a thread that is about to let go of that",
     .platform_alias = "pocl",
     .faults = {.sub_device_release_races = true}},
    {.name = "oclgrind_threads",
     .reason = "Oclgrind 21.10: a launch in one thread while another thread is inside it ends the process",
     .platform_alias = "oclgrind",
     .faults = {.one_thread_only = true}},
    {.name = "oclgrind_warnings",
     .reason = "Oclgrind 21.10: build options about warnings and fast relaxed maths are taken and do nothing",
     .platform_alias = "oclgrind",
     .faults = {.warnings_stay = true}},
    {.name = "nvidia_shared_context",
     .reason = "NVIDIA: while one card of a context works the others of it wait (KataGo #304)",
     .platform_alias = "nvidia",
     .faults = {.one_context_per_device = true}},
    {.name = "nvidia_large_fill",
     .reason = "NVIDIA: a fill of 2^31 bytes or more never ends, or spoils the context (PyOpenCL #395)",
     .platform_alias = "nvidia",
     .faults = {.max_fill_bytes = std::uint64_t{std::numeric_limits<std::int32_t>::max()}}},
    // Source: Intel's compute-runtime, programmers' guide, "Allocations greater than 4GB".
    {.name = "intel_large_buffers",
     .reason = "Intel graphics: buffers over 4 GiB need a flag, and programs that use them a build option",
     .platform_alias = "intel",
     .vendor_id = kIntel,
     .devices = Quirk::Devices::graphics,
     .since = Version{21},
     .faults = {.large_buffer_flag = std::uint64_t{1} << 23,
                .large_buffer_option = "-cl-intel-greater-than-4GB-buffer-required"}},
    {.name = "intel_binary_arguments",
     .reason = "Intel 2026.2: a program made from a binary does not know its kernels' arguments",
     .platform_alias = "intel",
     .devices = Quirk::Devices::processors,
     .faults = {.binary_loses_argument_info = true}},
    {.name = "intel_bad_modules",
     .reason = "Intel 2026.2: a SPIR-V module whose instructions are not valid ends the process, or is built for ever",
     .platform_alias = "intel",
     .devices = Quirk::Devices::processors},
};

bool is_among(Quirk::Devices devices, DeviceKind kind) {
  switch (devices) {
    case Quirk::Devices::graphics:
      return kind == DeviceKind::discrete_gpu || kind == DeviceKind::integrated_gpu;
    case Quirk::Devices::processors:
      return kind == DeviceKind::cpu;
    case Quirk::Devices::all:
      break;
  }
  return true;
}

/// What the public facts hold of the faults. The user's word on time stamps counts for more than what the driver tells.
void correct(Capabilities& facts, const DriverFaults& faults, const QuirkOverrides& overrides) {
  facts.max_loop_iterations = faults.max_loop_iterations;
  if (faults.timestamps_untrusted) facts.timestamps_trusted = false;
  for (const auto& [name, value] : overrides.facts())
    if (name == "timestamps_untrusted") facts.timestamps_trusted = !faults.timestamps_untrusted;
}

}  // namespace

std::span<const Quirk> quirks() noexcept { return kQuirks; }

bool matches(const Quirk& quirk, const DeviceRecord& record) {
  if (!quirk.platform_alias.empty() && quirk.platform_alias != record.platform_alias) return false;
  if (quirk.vendor_id && quirk.vendor_id != record.capabilities.vendor_id) return false;
  if (!is_among(quirk.devices, record.kind)) return false;
  if (record.name.find(quirk.name_part) == std::string::npos) return false;
  const auto version = find_version(record.driver_version);
  return !version || (*version >= quirk.since && (!quirk.until || *version < *quirk.until));
}

void apply_quirks(DeviceRecord& record, const QuirkOverrides& overrides) {
  for (const Quirk& quirk : kQuirks) {
    if (!matches(quirk, record) || overrides.leave_out(quirk.name)) continue;
    log::debug("{}: {}: {}", record.name, quirk.name, quirk.reason);
    merge(record.faults, quirk.faults);
    record.capabilities.known_faults.push_back({std::string(quirk.name), std::string(quirk.reason)});
  }
  for (const auto& [name, value] : overrides.facts()) {
    static_cast<void>(set_fact(record.faults, name, value));  // tried when the text was parsed
    record.capabilities.known_faults.push_back({name, fmt::format("set to {} by ANYCL_QUIRKS", value)});
  }
  correct(record.capabilities, record.faults, overrides);
}

}  // namespace anycl::detail
