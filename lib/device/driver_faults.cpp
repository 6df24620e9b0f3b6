#include "device/driver_faults.hpp"

#include <algorithm>
#include <variant>

#include "base/scaled_number.hpp"

namespace anycl::detail {
namespace {

using Flag = bool DriverFaults::*;
using Limit = std::optional<std::uint64_t> DriverFaults::*;

struct Fact {
  std::string_view name;
  std::variant<Flag, Limit> member;
};

constexpr Fact kFacts[] = {
    {"max_loop_iterations", &DriverFaults::max_loop_iterations},
    {"max_global_items", &DriverFaults::max_global_items},
    {"max_total_items", &DriverFaults::max_total_items},
    {"max_fill_bytes", &DriverFaults::max_fill_bytes},
    {"large_buffer_flag", &DriverFaults::large_buffer_flag},
    {"timestamps_untrusted", &DriverFaults::timestamps_untrusted},
    {"one_context_per_device", &DriverFaults::one_context_per_device},
    {"binary_query_blocks", &DriverFaults::binary_query_blocks},
    {"build_races", &DriverFaults::build_races},
    {"binary_loses_argument_info", &DriverFaults::binary_loses_argument_info},
    {"sub_device_release_races", &DriverFaults::sub_device_release_races},
    {"warnings_stay", &DriverFaults::warnings_stay},
    {"one_thread_only", &DriverFaults::one_thread_only},
};

bool set(bool& flag, std::string_view value) noexcept {
  if (value != "on" && value != "off") return false;
  flag = value == "on";
  return true;
}

bool set(std::optional<std::uint64_t>& limit, std::string_view value) noexcept {
  const auto number = parse_scaled_number(value);
  if (!number && value != "none") return false;
  limit = number;
  return true;
}

void merge(bool& flag, bool more) noexcept { flag = flag || more; }

void merge(std::optional<std::uint64_t>& limit, const std::optional<std::uint64_t>& more) noexcept {
  if (more) limit = more;
}

}  // namespace

void merge(DriverFaults& faults, const DriverFaults& more) noexcept {
  for (const Fact& fact : kFacts) std::visit([&](auto member) { merge(faults.*member, more.*member); }, fact.member);
  if (!more.large_buffer_option.empty()) faults.large_buffer_option = more.large_buffer_option;
}

bool set_fact(DriverFaults& faults, std::string_view name, std::string_view value) noexcept {
  const auto* fact = std::find_if(std::begin(kFacts), std::end(kFacts), [&](const Fact& f) { return f.name == name; });
  return fact != std::end(kFacts) && std::visit([&](auto member) { return set(faults.*member, value); }, fact->member);
}

}  // namespace anycl::detail
