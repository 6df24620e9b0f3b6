// What the work-items of a group do together.
#include <algorithm>
#include <cstdint>

#include <fmt/ranges.h>

#include "anycl/memory/transfer.hpp"
#include "anycl/program/launch.hpp"
#include "self_test/tests.hpp"
#include "self_test_kernels.hpp"

namespace anycl::command::self_test {
namespace {

/// Odd ones, and those at the device's limit, ascending.
std::vector<std::size_t> group_sizes(std::size_t largest) {
  std::vector<std::size_t> sizes{1, 3, 7, largest - 1, largest};
  std::erase_if(sizes, [&](std::size_t size) { return size == 0 || size > largest; });
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// Each work-item gets the number of the one that is `kRounds` further on in its group.
Outcome barriers_at(Rig& rig, const Kernel& kernel, std::size_t size) {
  constexpr std::size_t kGroups = 3;
  constexpr std::uint32_t kRounds = 5;
  Buffer<std::uint32_t> results(rig.context, kGroups * size);
  fill(rig.queue, results, 0);
  launch(rig.queue, kernel, Range{{kGroups * size}, {size}}, local<std::uint32_t>(size), kRounds, results);
  std::vector<std::uint32_t> expected(kGroups * size);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = static_cast<std::uint32_t>((i % size + kRounds) % size);
  return compare(fmt::format("numbers handed on in groups of {}", size), to_host(results), expected);
}

}  // namespace

Outcome barriers(Rig& rig) {
  const Kernel kernel(rig.context, kernels::groups, "barriers");
  const std::size_t fitting = std::max<std::size_t>(1, rig.facts().local_memory_bytes / sizeof(std::uint32_t));
  const auto [largest, at_largest] =
      in_largest_group(rig, fitting, [&](std::size_t size) { return barriers_at(rig, kernel, size); });
  if (at_largest.status != Status::ok) return at_largest;
  const auto sizes = group_sizes(largest);
  for (const std::size_t size : sizes)
    if (Outcome outcome = barriers_at(rig, kernel, size); outcome.status != Status::ok) return outcome;
  return {Status::ok, fmt::format("right in groups of {}", fmt::join(sizes, ", "))};
}

Outcome local_memory(Rig& rig) {
  constexpr std::uint64_t kMost = 64 << 10;  // loops stay short
  constexpr std::size_t kItems = 64;
  const auto words =
      static_cast<std::uint32_t>(std::min(rig.facts().local_memory_bytes, kMost) / sizeof(std::uint32_t));
  if (words == 0) return skipped("the device tells of none");
  const Kernel kernel(rig.context, kernels::groups, "local_memory");
  return in_largest_group(rig, kItems,
                          [&](std::size_t size) {
                            Buffer<std::uint32_t> wrong(rig.context, size);
                            fill(rig.queue, wrong, 1);
                            launch(rig.queue, kernel, Range{{size}, {size}}, local<std::uint32_t>(words), words, wrong);
                            return compare(fmt::format("errors per work-item in {} words", words), to_host(wrong),
                                           std::vector<std::uint32_t>(size, 0));
                          })
      .second;
}

Outcome sub_groups(Rig& rig) {
  if (!rig.facts().sub_groups) return skipped("the device has none");
  constexpr std::size_t kItems = 1024;
  const Kernel kernel(rig.context, kernels::sub_groups, "sub_groups");
  Buffer<std::uint32_t> counted(rig.context, kItems);
  Buffer<std::uint32_t> sizes(rig.context, kItems);
  fill(rig.queue, counted, 0);
  fill(rig.queue, sizes, 1);
  launch(rig.queue, kernel, kItems, counted, sizes);
  return compare("work-items counted by their sub-group", to_host(counted), to_host(sizes));
}

}  // namespace anycl::command::self_test
