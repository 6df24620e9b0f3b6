#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "anycl/memory/transfer.hpp"
#include "anycl/program/launch.hpp"
#include "self_test/tests.hpp"
#include "self_test_kernels.hpp"

namespace anycl::command::self_test {
namespace {

constexpr std::size_t kCounters = 8;
using Counters = std::array<std::uint32_t, kCounters>;

constexpr Counters kAtStart{0, 0, 0, std::numeric_limits<std::uint32_t>::max(), 0, 0, 0, 0};

/// What `size` work-items leave, whatever their order.
Counters counted_by(std::uint32_t size) {
  Counters counters = kAtStart;
  for (std::uint32_t i = 0; i < size; ++i) {
    counters[0] += i;
    counters[1] -= i;
    counters[2] += 1;
    counters[3] = std::min(counters[3], i);
    counters[4] = std::max(counters[4], i);
    counters[5] |= 1U << (i % 32);
    counters[6] ^= i;
    counters[7] += 1;
  }
  return counters;
}

}  // namespace

Outcome global_atomics(Rig& rig) {
  constexpr std::uint32_t kItems = 1001;
  const Kernel kernel(rig.context, kernels::atomics, "global_atomics");
  Buffer<std::uint32_t> counters(rig.context, kAtStart);
  launch(rig.queue, kernel, kItems, counters);
  const Counters expected = counted_by(kItems);
  return compare("counters of add, sub, inc, min, max, or, xor, cmpxchg", to_host(counters),
                 std::vector(expected.begin(), expected.end()));
}

Outcome local_atomics(Rig& rig) {
  constexpr std::size_t kGroups = 3;
  constexpr std::size_t kLargest = 100;
  const Kernel kernel(rig.context, kernels::atomics, "local_atomics");
  const auto in_groups_of = [&](std::size_t size) {
    Buffer<std::uint32_t> results(rig.context, kGroups * kCounters);
    fill(rig.queue, results, 0);
    launch(rig.queue, kernel, Range{{kGroups * size}, {size}}, results);
    const Counters of_group = counted_by(static_cast<std::uint32_t>(size));
    std::vector<std::uint32_t> expected;
    for (std::size_t group = 0; group < kGroups; ++group)
      expected.insert(expected.end(), of_group.begin(), of_group.end());
    return compare(fmt::format("counters of groups of {}", size), to_host(results), expected);
  };
  return in_largest_group(rig, kLargest, in_groups_of).second;
}

}  // namespace anycl::command::self_test
