// Sixteen threads that launch without a pause, each on its own buffer and now and then all on one.
// Needs: a driver with threads
#include <cstdint>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "soak/length.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

constexpr std::uint32_t kThreads = 16;
constexpr std::uint32_t kSharedEvery = 16;

bool is_shared(std::uint32_t launch) { return launch % kSharedEvery == 0; }

void launch_many(test::Rig& rig, const test::Work& work, Buffer<std::uint32_t>& own, Buffer<std::uint32_t>& shared,
                 std::uint32_t launches) {
  Queue queue(rig.context, rig.device);
  for (std::uint32_t i = 0; i < launches; ++i) {
    if (is_shared(i))
      launch_advance(queue, work, shared, 1, 1);
    else
      launch_advance(queue, work, own, 3, i);
    if (i % 1000 == 999) queue.finish();
  }
  queue.finish();
}

/// What `launch_many` leaves in a buffer of its own that held `value`.
std::uint32_t value_after(std::uint32_t value, std::uint32_t launches) {
  for (std::uint32_t i = 0; i < launches; ++i)
    if (!is_shared(i)) value = value * 3 + i;
  return value;
}

}  // namespace

TEST_CASE("sixteen threads launch and lose nothing", "[soak][threads]") {
  test::for_each_device([](test::Rig& rig) {
    const auto launches = static_cast<std::uint32_t>(test::launches(rig.device, 100'000, 2'000));
    const test::Work work(rig.context);
    Buffer<std::uint32_t> shared(rig.context, Uints(64, 0));
    std::vector<Buffer<std::uint32_t>> own;
    for (std::uint32_t i = 0; i < kThreads; ++i) own.emplace_back(rig.context, Uints(64, i));

    std::vector<std::thread> running;
    for (Buffer<std::uint32_t>& buffer : own)
      running.emplace_back([&] { launch_many(rig, work, buffer, shared, launches); });
    for (std::thread& thread : running) thread.join();

    const std::uint32_t shared_each = (launches + kSharedEvery - 1) / kSharedEvery;
    CHECK(to_host(shared) == Uints(64, kThreads * shared_each));
    for (std::uint32_t i = 0; i < kThreads; ++i) CHECK(to_host(own[i]) == Uints(64, value_after(i, launches)));
  });
}
