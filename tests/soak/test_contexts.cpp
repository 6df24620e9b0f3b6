// A thousand contexts, one after the other, take no more than the driver itself loses.
// Needs: a driver with threads
#include <cstddef>
#include <cstdint>
#include <vector>

#include "anycl/anycl.hpp"
#include "soak/growth.hpp"
#include "soak/length.hpp"
#include "soak/raw_session.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// Everything that a small program makes; destroyed in the reverse order.
struct Session {
  explicit Session(const Device& device) : context(std::vector<Device>{device}), queue(context, device), work(context) {
    launch_advance(queue, work, buffer, 1, 1).wait();
  }

  Context context;
  Queue queue;
  test::Work work;
  Buffer<std::uint32_t> buffer{context, Uints(8, 0)};
};

}  // namespace

TEST_CASE("a thousand contexts grow no more than those of plain OpenCL", "[soak][contexts]") {
  test::for_each_device([](test::Rig& rig) {
    const int count = test::rounds(1000, 50);
    Session first(rig.device);
    flush_kernel_cache(first.context);  // the others take their kernels from the disk

    // Intel's runtime loses 688 bytes a context by itself, and all drivers fill pools for some hundred contexts.
    const test::Growth raw = test::growth_over(count, [&] { test::RawSession(rig.device).launch(1); });
    const test::Growth ours = test::growth_over(count, [&] { const Session session(rig.device); });

    CAPTURE(raw.resident_bytes, raw.files, raw.threads, ours.threads);
    CHECK(ours.resident_bytes <= raw.resident_bytes + (1 << 20));  // 1 KiB a context: less than a queue of ours takes
    CHECK(ours.files <= raw.files);
    CHECK(ours.threads <= raw.threads + 2);  // some drivers end a thread late
  });
}
