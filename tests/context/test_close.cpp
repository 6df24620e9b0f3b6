// Needs: a driver with threads
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/layer.hpp"
#include "support/live_objects.hpp"
#include "support/log_capture.hpp"
#include "support/sanitizer.hpp"
#include "support/work.hpp"

using namespace anycl;
using test::LiveObjects;
using Uints = std::vector<std::uint32_t>;

namespace {

/// Sets a variable of this process until the scope ends.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~ScopedVariable() { ::unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
};

Context context_on(const Device& device) { return Context{std::vector<Device>{device}}; }

std::atomic<int> releases_of_stuck{0};

template <class Object>
cl_int count_release(Object) {
  ++releases_of_stuck;
  return CL_SUCCESS;
}

/// A driver whose work never ends.
void never_complete(detail::EntryPoints& table) {
  releases_of_stuck = 0;
  table.clReleaseEvent = &count_release<cl_event>;
  table.clReleaseMemObject = &count_release<cl_mem>;
  table.clReleaseCommandQueue = &count_release<cl_command_queue>;
  table.clReleaseContext = &count_release<cl_context>;
  table.clGetEventInfo = [](cl_event, cl_event_info, size_t size, void* value, size_t* size_ret) -> cl_int {
    if (value != nullptr && size == sizeof(cl_int)) *static_cast<cl_int*>(value) = CL_RUNNING;
    if (size_ret != nullptr) *size_ret = sizeof(cl_int);
    return CL_SUCCESS;
  };
}

std::atomic<int> failed_releases{0};

/// Counts releases that the driver refuses.
void watch_releases(detail::EntryPoints& table) {
  failed_releases = 0;
#define ANYCL_WATCH_RELEASE(type, noun)                              \
  table.clRelease##noun = [](type object) -> cl_int {                \
    const cl_int code = test::real_driver().clRelease##noun(object); \
    if (code != CL_SUCCESS) ++failed_releases;                       \
    return code;                                                     \
  }
  ANYCL_WATCH_RELEASE(cl_context, Context);
  ANYCL_WATCH_RELEASE(cl_command_queue, CommandQueue);
  ANYCL_WATCH_RELEASE(cl_mem, MemObject);
  ANYCL_WATCH_RELEASE(cl_program, Program);
  ANYCL_WATCH_RELEASE(cl_kernel, Kernel);
  ANYCL_WATCH_RELEASE(cl_event, Event);
#undef ANYCL_WATCH_RELEASE
}

/// All handles of a small program with work pending, and ways to drop each.
struct Handles {
  explicit Handles(const Device& device) : context(context_on(device)) {
    queue.emplace(*context, device);
    buffer.emplace(*context, Uints(1000, 1));
    work.emplace(*context);
    for (int i = 0; i < 10; ++i) event = launch_advance(*queue, *work, *buffer, 3, 1);
  }

  void drop(std::size_t which) {
    switch (which) {
      case 0:
        context.reset();
        break;
      case 1:
        queue.reset();
        break;
      case 2:
        buffer.reset();
        break;
      case 3:
        work.reset();
        break;
      default:
        event.reset();
        break;
    }
  }

  std::optional<Context> context;
  std::optional<Queue> queue;
  std::optional<Buffer<std::uint32_t>> buffer;
  std::optional<test::Work> work;
  std::optional<Event> event;
};

}  // namespace

TEST_CASE("every use of a closed context throws Cancelled", "[context][close]") {
  test::for_each_device([](test::Rig& rig) {
    Context context = context_on(rig.device);
    Queue queue(context, rig.device);
    const test::Work work(context);
    Buffer<std::uint32_t> buffer(context, 16), other(context, 16);
    Uints host(16, 1);
    const Event event = launch_advance(queue, work, buffer, 1, 1);

    context.close();

    CHECK_THROWS_AS(launch_advance(queue, work, buffer, 1, 1), Cancelled);
    CHECK_THROWS_AS(launch_combine(queue, work, buffer, other, 1), Cancelled);
    CHECK_THROWS_AS(write(queue, buffer, host), Cancelled);
    CHECK_THROWS_AS(write(queue, buffer, Uints(16)), Cancelled);
    CHECK_THROWS_AS(read(queue, buffer, host), Cancelled);
    CHECK_THROWS_AS(copy(queue, buffer, other), Cancelled);
    CHECK_THROWS_AS(fill(queue, buffer, 7), Cancelled);
    CHECK_THROWS_AS((void)to_host(buffer), Cancelled);
    CHECK_THROWS_AS(queue.flush(), Cancelled);
    CHECK_THROWS_AS(queue.finish(), Cancelled);
    CHECK_NOTHROW(event.wait());  // asks for nothing new: closing has waited for this work
    CHECK_THROWS_AS(Queue(context, rig.device), Cancelled);
    CHECK_THROWS_AS(Buffer<int>(context, 16), Cancelled);
  });
}

TEST_CASE("closing waits for pending work, and closing twice is fine", "[context][close]") {
  test::for_each_device([](test::Rig& rig) {
    Context context = context_on(rig.device);
    const test::Work work(context);
    Buffer<std::uint32_t> buffer(context, Uints(test::kSlowSize, 1));
    Uints host(test::kSlowSize);
    Queue queue(context, rig.device);
    launch_slow(queue, work, buffer);
    const Event event = read(queue, buffer, host);

    context.close();

    CHECK(host == Uints(test::kSlowSize, test::slow_value(1)));
    CHECK(event.status() == EventStatus::complete);
    CHECK_NOTHROW(context.close());
  });
}

TEST_CASE("a queue destroyed with pending work still runs it", "[context][close]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));
    Event event;

    {
      Queue queue(rig.context, rig.device);
      launch_slow(queue, work, buffer);
      event = launch_advance(queue, work, buffer, 1, 5);
    }

    event.wait();
    CHECK(to_host(buffer) == Uints(test::kSlowSize, test::slow_value(1) + 5));
  });
}

TEST_CASE("handles may go in any order while work is pending, and every native object is released",
          "[context][close]") {
  test::for_each_device([](test::Rig& rig) {
    const LiveObjects live;
    std::array<std::size_t, 5> order{0, 1, 2, 3, 4};

    do {
      CAPTURE(order);
      {
        Handles handles(rig.device);
        for (const std::size_t which : order) handles.drop(which);
      }
      CHECK(LiveObjects::contexts == 0);
      CHECK(LiveObjects::queues == 0);
      CHECK(LiveObjects::buffers == 0);
      CHECK(LiveObjects::programs == 0);
      CHECK(LiveObjects::kernels == 0);
      REQUIRE(LiveObjects::events == 0);
    } while (std::next_permutation(order.begin(), order.end()));
  });
}

TEST_CASE("objects are released through their own context, whichever was made or used last [OCL-053]",
          "[context][close]") {
  const std::vector<Device> devices(test::shared_context().devices().begin(), test::shared_context().devices().end());
  for (const Device& first : devices)
    for (const Device& second : devices) {
      INFO("on " << first.name() << ", then " << second.name());
      const test::Faults faults(&watch_releases);
      {
        auto ours = std::make_unique<Handles>(first);
        Handles theirs(second);
        theirs.drop(1);
        ours.reset();
        CHECK(to_host(*theirs.buffer) == Uints(1000, 88573u));
      }
      CHECK(failed_releases == 0);
    }
}

TEST_CASE("contexts made and dropped over and over leave nothing behind [OCL-094]", "[context][close]") {
  test::for_each_device([](test::Rig& rig) {
    const LiveObjects live;

    for (int round = 0; round < 50; ++round) {
      Handles handles(rig.device);
      REQUIRE(to_host(*handles.buffer) == Uints(1000, 88573u));  // 1 -> 3 x + 1, ten times
    }

    CHECK(LiveObjects::all() == 0);
  });
}

TEST_CASE("an empty context that was never used closes without a driver call", "[context][close]") {
  const LiveObjects live;

  { const Context context = context_on(test::shared_context().device(0)); }

  CHECK(LiveObjects::all() == 0);
  CHECK(LiveObjects::releases == 0);
}

TEST_CASE("closing gives up on work that never ends, says so, and touches its objects no more [OCL-197]",
          "[context][close]") {
  using Clock = std::chrono::steady_clock;
  test::leave_objects_behind();
  const ScopedVariable limit("ANYCL_TEARDOWN_LIMIT", "1");
  const test::LogCapture log;

  test::for_each_device([&](test::Rig& rig) {
    const auto warnings = log.count(LogLevel::warn);
    std::chrono::duration<double> spent{};
    const test::Faults faults(&never_complete);
    {
      const test::GivingUp objects_of_work_that_never_ends;
      Context context = context_on(rig.device);
      const test::Work work(context);
      Buffer<std::uint32_t> buffer(context, Uints(100, 1));
      Queue first(context, rig.device), second(context, rig.device);
      launch_advance(first, work, buffer, 1, 1);
      const Event event = launch_advance(second, work, buffer, 1, 1);

      const auto begin = Clock::now();
      context.close();
      spent = Clock::now() - begin;

      CHECK_THROWS_AS(event.wait(), Cancelled);
      CHECK(event.status() == EventStatus::submitted);
    }
    CHECK(releases_of_stuck == 0);
    CHECK(spent.count() >= 0.9);
    CHECK(spent.count() < 3);
    CHECK(log.count(LogLevel::warn) <= warnings + 1);
  });
  CHECK(log.count(LogLevel::warn, "work that does not end") == 1);  // one text, at most once a minute
}

TEST_CASE("a teardown limit that is no number is named in a warning and changes nothing", "[context][close]") {
  const ScopedVariable limit("ANYCL_TEARDOWN_LIMIT", "soon");
  const test::LogCapture log;

  { const Context context = context_on(test::shared_context().device(0)); }

  CHECK(log.count(LogLevel::warn, "ANYCL_TEARDOWN_LIMIT='soon'") == 1);
}

TEST_CASE("nothing new can be made on a queue whose context is gone", "[context][close]") {
  test::for_each_device([](test::Rig& rig) {
    std::optional<Context> context(context_on(rig.device));
    const Queue queue(*context, rig.device);
    context.reset();

    CHECK_THROWS_AS(Buffer<int>(queue, 1), Cancelled);
    CHECK_THROWS_AS(Kernel(queue, "kernel void k() {}", "k"), Cancelled);
  });
}
