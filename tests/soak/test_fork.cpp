// A process that has used OpenCL forks again and again, with work pending.
// Needs: a driver with threads
#include <cstdint>
#include <vector>

#include "anycl/anycl.hpp"
#include "soak/length.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

TEST_CASE("every forked child is refused and ends in time, and the parent goes on", "[soak][fork]") {
  test::for_each_device([](test::Rig& rig) {
    constexpr std::uint32_t launches = 50;
    const auto forks = static_cast<std::uint32_t>(test::rounds(500, 20));
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(64, 0));

    for (std::uint32_t i = 0; i < forks; ++i) {
      for (std::uint32_t k = 0; k < launches; ++k) launch_advance(rig.queue, work, buffer, 1, 1);
      const int code = test::in_forked_child([&] {
        try {
          launch_advance(rig.queue, work, buffer, 1, 1);
          return 1;
        } catch (const UsedAfterFork&) {
          return 0;
        }
      });
      CAPTURE(i);
      REQUIRE(code == 0);
    }

    CHECK(to_host(buffer) == Uints(64, forks * launches));
  });
}
