/// \file  What a driver does wrong, as far as the library must know. Layer 1 (device).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace anycl::detail {

/// Work-items a driver can count. Sizes above end the process in some drivers.
struct RangeLimits {
  std::uint64_t max_global_items = std::numeric_limits<std::uint64_t>::max();  ///< per dimension
  std::uint64_t max_total_items = std::numeric_limits<std::uint64_t>::max();   ///< of all dimensions together
};

/// Facts that no query tells, since they are not what the specification or the driver's own answers say.
struct DriverFaults {
  std::optional<std::uint64_t> max_loop_iterations{};  ///< of all loops of a work-item; then they end silently
  std::optional<std::uint64_t> max_global_items{};     ///< in one dimension
  std::optional<std::uint64_t> max_total_items{};      ///< in all dimensions together
  std::optional<std::uint64_t> max_fill_bytes{};       ///< by one clEnqueueFillBuffer
  std::optional<std::uint64_t> large_buffer_flag{};  ///< cl_mem_flags with which a buffer may be as large as the memory
  std::string_view large_buffer_option{};            ///< and how programs that use such a buffer must be built
  bool timestamps_untrusted = false;
  bool one_context_per_device = false;  ///< devices that share a context keep one another from working
  bool binary_query_blocks = false;     ///< a program's binary is to be asked for while the program is not in use
  bool build_races = false;             ///< builds in two processes or contexts spoil each other's files (PoCL's cache)
  bool binary_loses_argument_info = false;  ///< a program made from a binary does not know its kernels' arguments
  bool sub_device_release_races = false;    ///< the driver's threads use a sub-device after its last reference is gone
  bool warnings_stay = false;               ///< the compiler neither leaves them out nor makes errors of them
  bool one_thread_only = false;             ///< the driver must not be called from a thread of our own

  [[nodiscard]] RangeLimits range_limits() const noexcept {
    constexpr RangeLimits kNone;
    return {max_global_items.value_or(kNone.max_global_items), max_total_items.value_or(kNone.max_total_items)};
  }
};

/// Takes over what `more` knows.
void merge(DriverFaults& faults, const DriverFaults& more) noexcept;

/// Sets a fact by its name: limits to a number, in which K, M, G and T stand for powers of 1024, or "none"; others to "on"
/// or "off". False when there is no such fact, or it cannot be that.
[[nodiscard]] bool set_fact(DriverFaults& faults, std::string_view name, std::string_view value) noexcept;

}  // namespace anycl::detail
