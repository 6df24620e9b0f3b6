#include "device/quirks.hpp"

#include "base/logging.hpp"

namespace anycl::detail {
namespace {

constexpr Quirk kQuirks[] = {
    {.platform_alias = "rusticl",
     .name_part = "llvmpipe",
     .reason = "Mesa 22.3: all loops of a work-item together end silently after 65,535 iterations",
     .max_loop_iterations = 65535},
    {.platform_alias = "rusticl",
     .name_part = "",
     .reason = "Mesa 22.3: time stamps move in steps of 1 ns per command, whatever the command takes",
     .timestamps_untrusted = true},
    {.platform_alias = "pocl",
     .name_part = "",
     .reason = "PoCL 3.1: asking for a program's binary takes most of a second and stops launches of that program",
     .binary_query_blocks = true},
};

bool matches(const Quirk& quirk, const DeviceRecord& record) {
  return quirk.platform_alias == record.platform_alias && record.name.find(quirk.name_part) != std::string::npos;
}

}  // namespace

void apply_quirks(DeviceRecord& record) {
  for (const Quirk& quirk : kQuirks) {
    if (!matches(quirk, record)) continue;
    log::debug("{}: {}", record.name, quirk.reason);
    if (quirk.max_loop_iterations) record.capabilities.max_loop_iterations = quirk.max_loop_iterations;
    record.binary_query_blocks |= quirk.binary_query_blocks;
    if (quirk.timestamps_untrusted) record.capabilities.timestamps_trusted = false;
  }
}

}  // namespace anycl::detail
