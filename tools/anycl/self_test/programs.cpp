// Building kernels, and running long ones.
#include <chrono>
#include <cstdint>
#include <numeric>
#include <optional>

#include "anycl/memory/transfer.hpp"
#include "anycl/program/kernel_cache.hpp"
#include "anycl/program/launch.hpp"
#include "quantity.hpp"
#include "self_test/tests.hpp"
#include "self_test_kernels.hpp"

namespace anycl::command::self_test {
namespace {

constexpr std::size_t kItems = 17;  // emulators take their time

/// What `long_loop` computes.
std::vector<std::uint32_t> expected_of_loop(std::uint32_t turns) {
  std::vector<std::uint32_t> expected(kItems);
  std::iota(expected.begin(), expected.end(), 0U);
  for (std::uint32_t& x : expected)
    for (std::uint32_t turn = 0; turn < turns; ++turn) x = x * 1664525U + 1013904223U;
  return expected;
}

/// Runs the loop in a context of its own or in the rig's.
std::vector<std::uint32_t> loop_on(Context& context, Queue& queue, std::uint32_t turns) {
  const Kernel kernel(context, kernels::loops, "long_loop");
  Buffer<std::uint32_t> results(context, kItems);
  fill(queue, results, 0);
  launch(queue, kernel, kItems, turns, results);
  return to_host(results);
}

}  // namespace

Outcome build(Rig& rig) {
  if (!rig.facts().has_compiler)
    return {Status::fail, "the driver has no compiler", "install the part of the driver that has it"};
  return compare("a first kernel", loop_on(rig.context, rig.queue, 1), expected_of_loop(1));
}

Outcome long_loop(Rig& rig) {
  constexpr std::uint32_t kTurns = 100'000;
  Outcome outcome = compare(fmt::format("a loop of {} turns", kTurns), loop_on(rig.context, rig.queue, kTurns),
                            expected_of_loop(kTurns));
  const auto limit = rig.facts().max_loop_iterations;
  if (outcome.status == Status::ok || !limit || *limit >= kTurns) return outcome;
  return {Status::warn, fmt::format("all loops of a work-item end after {} iterations, without an error", *limit),
          "use another driver, or more work-items that each do less"};
}

namespace {

/// A kernel's time by the clocks of both sides.
struct Times {
  std::uint64_t host_ns;
  std::optional<std::uint64_t> device_ns;
};

Times times_of(Rig& rig, const Kernel& kernel, std::uint32_t turns) {
  using Clock = std::chrono::steady_clock;
  Buffer<std::uint32_t> results(rig.context, kItems);
  launch(rig.queue, kernel, kItems, turns, results).wait();  // built by now
  const auto before = Clock::now();
  const Event event = launch(rig.queue, kernel, kItems, turns, results);
  event.wait();
  const auto host_ns = static_cast<std::uint64_t>((Clock::now() - before) / std::chrono::nanoseconds(1));
  return {host_ns, event.duration_ns()};
}

}  // namespace

Outcome timers(Rig& rig) {
  constexpr std::uint32_t kFewTurns = 100;
  constexpr std::uint32_t kTurns = 10'000;
  const Kernel kernel(rig.context, kernels::loops, "long_loop");
  const auto short_ns = times_of(rig, kernel, kFewTurns).device_ns;
  const auto [host_ns, device_ns] = times_of(rig, kernel, kTurns);

  if (!device_ns || !short_ns) return {Status::warn, "its time stamps cannot be right; host time is used"};
  if (*device_ns == 0)
    return {Status::warn, fmt::format("they show no time for a kernel of {}", duration_text(host_ns))};
  if (*device_ns == *short_ns)
    return {Status::warn, fmt::format("they show {} for a kernel of {} turns and for one of {}",
                                      duration_text(*device_ns), kFewTurns, kTurns)};
  const std::uint64_t most = host_ns + host_ns / 10 + rig.facts().timer_resolution_ns.value_or(0);
  if (*device_ns > most)
    return failed(fmt::format("a kernel took {} by the device's clock, {} by the host's", duration_text(*device_ns),
                              duration_text(host_ns)));
  return {};
}

Outcome stored_build(Rig& rig) {
  constexpr std::uint32_t kTurns = 10;
  const auto expected = expected_of_loop(kTurns);
  if (const auto built = compare("as built", loop_on(rig.context, rig.queue, kTurns), expected);
      built.status != Status::ok)
    return built;
  flush_kernel_cache(rig.context);
  if (kernel_cache_statistics(rig.context).stored == 0)
    return {Status::warn, "the driver gives no binary of a build, so each process builds anew"};

  Rig second(rig.device());
  const auto results = loop_on(second.context, second.queue, kTurns);
  if (const auto loaded = compare("as loaded", results, expected); loaded.status != Status::ok) return loaded;
  if (kernel_cache_statistics(second.context).from_disk == 0)
    return {Status::warn, "the driver refuses its own binary, so each process builds anew"};
  return {};
}

}  // namespace anycl::command::self_test
