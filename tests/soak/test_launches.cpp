// A million launches leave nothing behind.
// Needs: a driver with threads
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "anycl/anycl.hpp"
#include "soak/growth.hpp"
#include "soak/length.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// One byte for each of a million launches. Plain OpenCL grows by 4 to 40 KiB meanwhile, on PoCL, rusticl and Intel's
/// runtime alike.
constexpr std::ptrdiff_t kAllowed = 1 << 20;
constexpr int kBatch = 100;

}  // namespace

TEST_CASE("a million launches on one buffer take no memory [OCL-175]", "[soak][launches]") {
  test::for_each_device([](test::Rig& rig) {
    const int batches = test::launches(rig.device, 1'000'000, 20'000) / kBatch;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(8, 0));

    const test::Growth growth = test::growth_over(batches, [&] {
      for (int i = 0; i < kBatch; ++i) launch_advance(rig.queue, work, buffer, 1, 1);
      rig.queue.finish();
    });

    CHECK(growth.resident_bytes <= kAllowed);
    CHECK(growth.files == 0);
    CHECK(growth.threads == 0);
    CHECK(to_host(buffer) == Uints(8, static_cast<std::uint32_t>((batches / 2 + batches) * kBatch)));
  });
}

TEST_CASE("a million profiled events take no memory once they are let go of [OCL-179]", "[soak][launches]") {
  test::for_each_device([](test::Rig& rig) {
    const int batches = test::launches(rig.device, 1'000'000, 20'000) / kBatch;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(8, 0));
    Queue queue(rig.context, rig.device, {.profiling = true});
    std::array<Event, kBatch> latest;
    int untimed = 0;

    const test::Growth growth = test::growth_over(batches, [&] {
      for (Event& event : latest) event = launch_advance(queue, work, buffer, 1, 1);
      queue.finish();
      for (const Event& event : latest) untimed += event.duration_ns() ? 0 : 1;
    });

    CHECK(growth.resident_bytes <= kAllowed);
    if (rig.device.capabilities().timestamps_trusted) CHECK(untimed == 0);
    CHECK(to_host(buffer) == Uints(8, static_cast<std::uint32_t>((batches / 2 + batches) * kBatch)));
  });
}
