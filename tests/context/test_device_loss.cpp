// A device that stops answering and comes back: errors are typed while it is away, and a new context works afterwards.
// Needs: a driver with threads, layers
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// What there is before the loss.
struct Bench {
  Context context;
  Queue queue{context, context.device(0)};
  test::Work work{context};
  Buffer<std::uint32_t> x{context, Uints(100, 1)}, y{context, Uints(100, 1)};
};

/// "DeviceLost", "ClError", "another anycl::Error", or "nothing".
std::string kind_of_error(const std::function<void()>& use) {
  try {
    use();
  } catch (const DeviceLost&) {
    return "DeviceLost";
  } catch (const ClError&) {
    return "ClError";
  } catch (const Error&) {
    return "another anycl::Error";
  }
  return "nothing";
}

/// All that a program may do with a queue and its buffers.
std::vector<std::function<void()>> uses_of(Bench& bench, Uints& host) {
  return {
      [&] { launch_advance(bench.queue, bench.work, bench.x, 3, 1).wait(); },
      [&] { write(bench.queue, bench.x, host).wait(); },
      [&] { read(bench.queue, bench.x, host).wait(); },
      [&] { fill(bench.queue, bench.x, 7u).wait(); },
      [&] { copy(bench.queue, bench.x, bench.y).wait(); },
      [&] { static_cast<void>(to_host(bench.y)); },
  };
}

void check_that_a_new_context_works() {
  Bench bench;
  launch_advance(bench.queue, bench.work, bench.x, 3, 1);
  CHECK(to_host(bench.x) == Uints(100, 4));
}

/// In a process under the layer: `code` is what every call answers for a while.
void lose_and_find(const std::string& code, const std::string& kind) {
  REQUIRE(test::layer_is_up());
  Bench bench;
  launch_advance(bench.queue, bench.work, bench.x, 3, 1).wait();
  const Event pending = launch_advance(bench.queue, bench.work, bench.y, 3, 1);
  Uints host(100);
  {
    const test::LayerRules lost("lost after=0 code=" + code);
    for (const auto& use : uses_of(bench, host)) CHECK(kind_of_error(use) == kind);
    CHECK(kind_of_error([&] { Queue(bench.context, bench.context.device(0)); }) != "nothing");
    CHECK(kind_of_error([] { Context(); }) != "nothing");
  }

  check_that_a_new_context_works();
  // The driver has kept the work that was pending, so it is told how that went.
  CHECK_NOTHROW(pending.wait());
}

}  // namespace

TEST_CASE("loses its device for a while with -5", "[.][child_loss_of_resources]") { lose_and_find("-5", "ClError"); }
TEST_CASE("loses its device for a while with -36", "[.][child_loss_of_queue]") { lose_and_find("-36", "ClError"); }
TEST_CASE("loses its device for a while with -2", "[.][child_loss_of_device]") { lose_and_find("-2", "DeviceLost"); }

TEST_CASE("a lost device gives typed errors, and a new context works once it is back [OCL-194] [OCL-196]",
          "[context][device_loss]") {
  const auto tag =
      GENERATE(as<std::string>{}, "[child_loss_of_resources]", "[child_loss_of_queue]", "[child_loss_of_device]");

  const auto child = test::run_hidden_test(tag, test::under_layer("handles"));

  CAPTURE(tag, child.output);
  CHECK(child.exit_code == 0);
}
