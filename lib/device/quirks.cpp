#include "device/quirks.hpp"

#include <cstdint>
#include <limits>

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
    {.platform_alias = "rusticl",
     .name_part = "",
     .reason = "Mesa 22.3: a global size over 2^32 - 1 in a dimension is refused or ends the process",
     .max_global_items = std::numeric_limits<std::uint32_t>::max()},
    {.platform_alias = "pocl",
     .name_part = "",
     .reason = "PoCL 3.1: more than 2^63 - 1 work-items end the process",
     .max_total_items = std::numeric_limits<std::int64_t>::max()},
    {.platform_alias = "pocl",
     .name_part = "",
     .reason = "PoCL 3.1: asking for a program's binary takes most of a second and stops launches of that program",
     .binary_query_blocks = true},
    {.platform_alias = "oclgrind",
     .name_part = "",
     .reason = "Oclgrind 21.10: a launch in one thread while another thread is inside it ends the process",
     .one_thread_only = true},
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
    if (quirk.max_global_items) record.range_limits.max_global_items = *quirk.max_global_items;
    if (quirk.max_total_items) record.range_limits.max_total_items = *quirk.max_total_items;
    record.binary_query_blocks |= quirk.binary_query_blocks;
    record.one_thread_only |= quirk.one_thread_only;
    if (quirk.timestamps_untrusted) record.capabilities.timestamps_trusted = false;
  }
}

}  // namespace anycl::detail
