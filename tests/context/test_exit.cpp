// Ends of processes. Each child is a hidden test of this program: it leaves work pending and lets the process end.
// Needs: a driver with threads
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/base/error.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/layer.hpp"
#include "support/sanitizer.hpp"
#include "support/scale.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

constexpr int kPending = 50;

// Constructed before main() and so destroyed after everything that the tests make: after drivers have ended, too.
std::optional<Buffer<std::uint32_t>> late_buffer;
std::optional<Event> late_event;
std::optional<test::Work> late_work;
std::optional<Queue> late_queue;
std::optional<Context> late_context;

std::vector<Device> visible_devices() { return discover().devices(); }

/// A process that is ending calls no driver, which then keeps what was not released.
void leave_objects() {
  test::leave_objects_behind();
  test::look_for_no_leaks();
}

/// Kernels that are pending when it returns, and the last one's event.
Event leave_pending(Queue& queue, const test::Work& work, Buffer<std::uint32_t>& buffer) {
  leave_objects();
  Event event = launch_slow(queue, work, buffer);
  for (int i = 1; i < kPending; ++i) event = launch_advance(queue, work, buffer, 3, 1);
  return event;
}

/// Runs the hidden tests of `tag` so many times; each must end by itself, with exit code 0.
void check_ends(const std::string& tag, int times) {
  for (int i = 0; i < times; ++i) {
    const auto result = test::run_hidden_test(tag, {}, std::chrono::seconds(30));
    CAPTURE(i, result.output);
    REQUIRE_FALSE(result.timed_out);
    REQUIRE(result.signal == 0);
    REQUIRE(result.exit_code == 0);
  }
}

}  // namespace

TEST_CASE("child: objects with static storage, work pending", "[.][child_exit_statics]") {
  static Context context{visible_devices()};
  static Buffer<std::uint32_t> buffer(context, Uints(256, 1));
  static Queue queue(context, context.device(0));
  static const test::Work work(context);
  static const Event event = leave_pending(queue, work, buffer);
  CHECK_FALSE(event.status() == EventStatus::failed);
}

TEST_CASE("child: objects destroyed after the drivers, work pending", "[.][child_exit_late]") {
  late_context.emplace(visible_devices());
  late_buffer.emplace(*late_context, Uints(256, 1));
  late_queue.emplace(*late_context, late_context->device(0));
  late_work.emplace(*late_context);
  late_event = leave_pending(*late_queue, *late_work, *late_buffer);
  CHECK_FALSE(late_event->status() == EventStatus::failed);
}

TEST_CASE("child: objects that are never destroyed, work pending", "[.][child_exit_leaked]") {
  using test::never_destroyed;
  Context& context = never_destroyed(std::make_unique<Context>(visible_devices()));
  auto& buffer = never_destroyed(std::make_unique<Buffer<std::uint32_t>>(context, Uints(256, 1)));
  Queue& queue = never_destroyed(std::make_unique<Queue>(context, context.device(0)));
  const test::Work& work = never_destroyed(std::make_unique<test::Work>(context));
  const Event& event = never_destroyed(std::make_unique<Event>(leave_pending(queue, work, buffer)));
  CHECK_FALSE(event.status() == EventStatus::failed);
}

TEST_CASE("child: a context closed by hand, then objects with static storage", "[.][child_exit_closed]") {
  static Context context{visible_devices()};
  static Buffer<std::uint32_t> buffer(context, Uints(256, 1));
  static Queue queue(context, context.device(0));
  static const test::Work work(context);
  static const Event event = leave_pending(queue, work, buffer);
  context.close();
  CHECK(event.status() == EventStatus::complete);
}

TEST_CASE("child: exit from a thread, work pending", "[.][child_exit_thread]") {
  Context context{visible_devices()};
  Buffer<std::uint32_t> buffer(context, Uints(256, 1));
  Queue queue(context, context.device(0));
  const test::Work work(context);
  std::thread([&] {
    leave_pending(queue, work, buffer);
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): that is the point
  }).join();
}

TEST_CASE("child: exit from a thread, objects destroyed after the drivers", "[.][child_exit_thread_late]") {
  REQUIRE(test::layer_is_up());
  leave_objects();
  late_context.emplace(visible_devices());
  late_buffer.emplace(*late_context, Uints(256, 1));
  late_queue.emplace(*late_context, late_context->device(0));
  late_work.emplace(*late_context);
  late_event = launch_advance(*late_queue, *late_work, *late_buffer, 3, 1);
  std::thread([] { std::exit(0); }).join();  // NOLINT(concurrency-mt-unsafe): that is the point
}

TEST_CASE("child: a static object uses its queue as the process ends", "[.][child_exit_use]") {
  struct UseAtEnd {
    ~UseAtEnd() {
      try {
        queue->flush();
      } catch (const Cancelled&) {
        return;
      }
      std::_Exit(9);
    }
    Queue* queue;
  };
  static Context context{visible_devices()};
  static Queue queue(context, context.device(0));
  leave_objects();
  static const UseAtEnd use{&queue};  // younger than the library's exit handler, and so destroyed before that runs
}

TEST_CASE("child: quick exit, work pending", "[.][child_exit_quick]") {
  Context context{visible_devices()};
  Buffer<std::uint32_t> buffer(context, Uints(256, 1));
  Queue queue(context, context.device(0));
  const test::Work work(context);
  leave_pending(queue, work, buffer);
  std::quick_exit(0);
}

TEST_CASE("a process whose static objects have work pending ends with code 0, every time [OCL-181] [OCL-182] [OCL-184]",
          "[context][exit]") {
  check_ends("[child_exit_statics]", test::rounds(50, 8));
}

TEST_CASE("a process whose objects outlive the drivers ends with code 0 [OCL-181]", "[context][exit]") {
  check_ends("[child_exit_late]", test::rounds(10, 3));
}

TEST_CASE("a process that destroys nothing ends with code 0 [OCL-182]", "[context][exit]") {
  check_ends("[child_exit_leaked]", test::rounds(10, 3));
}

TEST_CASE("a process that closed its context ends with code 0 [OCL-182]", "[context][exit]") {
  check_ends("[child_exit_closed]", test::rounds(10, 3));
}

TEST_CASE("exit from a thread with work pending ends with code 0 [OCL-184]", "[context][exit]") {
  check_ends("[child_exit_thread]", test::rounds(10, 3));
}

TEST_CASE("a quick exit with work pending ends with code 0 [OCL-184]", "[context][exit]") {
  check_ends("[child_exit_quick]", test::rounds(10, 3));
}

TEST_CASE("once the main thread has left, objects call no driver [OCL-181]", "[context][exit]") {
  check_ends("[child_exit_use]", 1);
}

TEST_CASE("once exit handlers have run, objects call no driver, whichever thread ends the process [OCL-181]",
          "[context][exit]") {
  const auto result = test::run_hidden_test("[child_exit_thread_late]", test::under_layer("late"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 0);
}
