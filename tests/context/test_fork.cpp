// A forked child has the parent's objects but not the drivers' threads: every use must throw, none may hang.
// Needs: a driver with threads
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/layer.hpp"
#include "support/sanitizer.hpp"
#include "support/work.hpp"

using namespace anycl;
using namespace std::chrono_literals;
using Uints = std::vector<std::uint32_t>;

namespace {

struct Handles {
  explicit Handles(test::Rig& rig)
      : context(std::vector<Device>{rig.device}),
        queue(context, rig.device),
        work(context),
        x(context, Uints(test::kSlowSize, 1)),
        y(context, Uints(test::kSlowSize, 1)),
        event(launch_advance(queue, work, x, 1, 1)) {
    launch_combine(queue, work, x, y, 1);
    launch_slow(queue, work, y).wait();
    queue.finish();
  }

  Context context;
  Queue queue;
  test::Work work;
  Buffer<std::uint32_t> x, y;
  Event event;
  Uints host = Uints(test::kSlowSize);
};

/// What a program can ask of OpenCL with these handles.
std::vector<std::function<void()>> uses(Handles& h) {
  return {
      [&] { launch_advance(h.queue, h.work, h.x, 1, 1); },
      [&] { launch(h.queue, h.work.advance, 0, h.x, 1, 1, 0); },
      [&] { read(h.queue, h.x, h.host); },
      [&] { read(h.queue, h.x, {}); },
      [&] { write(h.queue, h.x, h.host); },
      [&] { write(h.queue, h.x, Uints(3)); },
      [&] { copy(h.queue, h.x, h.y); },
      [&] { fill(h.queue, h.x, 3); },
      [&] { (void)to_host(h.x); },
      [&] { h.queue.flush(); },
      [&] { h.queue.finish(); },
      [&] { (void)h.event.status(); },
      [&] { h.event.wait(); },
      [&] { (void)h.event.wait_for(1ms); },
      [&] { (void)h.event.duration_ns(); },
      [&] { Queue(h.context, h.context.device(0)); },
      [&] { Buffer<int>(h.context, 10); },
      [&] { Buffer<int>(h.context, std::vector<int>(10)); },
      [&] { (void)discover(); },
      [&] { Context(h.context.devices()); },
      [&] { launch(h.queue, Kernel(h.context, test::kWorkSource, "slow"), 1, h.x, 1); },
  };
}

/// 0 when every use throws UsedAfterFork, else 1 + the number of the first that does not.
int first_wrong(Handles& handles) {
  int number = 0;
  for (const auto& use : uses(handles)) {
    ++number;
    try {
      use();
      return number;
    } catch (const UsedAfterFork&) {
    } catch (...) {
      return number;
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("in a forked child every use throws UsedAfterFork, and the parent goes on", "[context][fork]") {
  test::for_each_device([](test::Rig& rig) {
    Handles handles(rig);

    CHECK(test::in_forked_child([&] { return first_wrong(handles); }) == 0);
    CHECK(test::in_forked_child([&] { return test::in_forked_child([&] { return first_wrong(handles); }); }) == 0);

    launch_advance(handles.queue, handles.work, handles.x, 1, 1).wait();
    CHECK(to_host(handles.x) == Uints(test::kSlowSize, 3));
  });
}

TEST_CASE("a child forked while another thread waits for a buffer does not hang", "[context][fork]") {
  test::for_each_device([](test::Rig& rig) {
    Handles handles(rig);
    for (int i = 0; i < 3; ++i) launch_slow(handles.queue, handles.work, handles.x);
    std::thread reader([&] { (void)to_host(handles.x); });
    std::this_thread::sleep_for(20ms);

    CHECK(test::in_forked_child([&] { return first_wrong(handles); }) == 0);

    reader.join();
  });
}

TEST_CASE("a child may drop what its parent made", "[context][fork]") {
  test::for_each_device([](test::Rig& rig) {
    auto handles = std::make_unique<Handles>(rig);
    launch_slow(handles->queue, handles->work, handles->x);

    const int code = test::in_forked_child([&] {
      handles.reset();
      return 0;
    });

    CHECK(code == 0);
    CHECK_NOTHROW(handles->queue.finish());
  });
}

TEST_CASE("a child forked while threads launch drops everything without a hang", "[context][fork]") {
  if (test::kOwnAllocator) ANYCL_SKIP("a lock of the sanitizer's allocator may be held while we fork");
  test::for_each_device([](test::Rig& rig) {
    auto handles = std::make_unique<Handles>(rig);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&] {
        while (!stop) {
          Queue queue(handles->context, rig.device);
          for (int k = 0; k < 20; ++k) launch_advance(queue, handles->work, handles->x, 1, 1);
          queue.finish();
        }
      });

    int worst = 0;
    for (int i = 0; i < 20 && worst == 0; ++i)
      worst = test::in_forked_child([&] {
        const int wrong = first_wrong(*handles);
        handles.reset();
        return wrong;
      });
    stop = true;
    for (std::thread& thread : threads) thread.join();

    CHECK(worst == 0);
    CHECK_NOTHROW(handles->queue.finish());
  });
}

TEST_CASE("child: forks before OpenCL is used", "[.][child_fork_early]") {
  const int code = test::in_forked_child([] {
    Context context{discover().devices()};
    Queue queue(context, context.device(0));
    Buffer<std::uint32_t> buffer(context, Uints(256, 1));
    launch_advance(queue, test::Work(context), buffer, 1, 1).wait();
    return to_host(buffer) == Uints(256, 2) ? 0 : 1;
  });

  CHECK(code == 0);
}

TEST_CASE("a child forked before OpenCL was used has it to itself", "[context][fork]") {
  const auto result = test::run_hidden_test("[child_fork_early]", {}, 30s);
  CAPTURE(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("child: asks for devices, then forks", "[.][child_fork_discover]") {
  const auto devices = discover().devices();

  const int code = test::in_forked_child([&] {
    try {
      const Context context{devices};
      return 1;
    } catch (const UsedAfterFork&) {
      return 0;
    }
  });

  CHECK(code == 0);
}

TEST_CASE("a child whose parent only looked at the devices is refused a context too", "[context][fork]") {
  const auto result = test::run_hidden_test("[child_fork_discover]", {}, 30s);
  CAPTURE(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("child: forks, and the grandchild exits with the parent's static objects", "[.][child_fork_exit]") {
  test::leave_objects_behind();
  test::look_for_no_leaks();
  static Context context{discover().devices()};
  static Buffer<std::uint32_t> buffer(context, Uints(256, 1));
  static Queue queue(context, context.device(0));
  static const test::Work work(context);
  static const Event event = launch_advance(queue, work, buffer, 1, 1);
  queue.finish();  // with work pending at the fork, Intel's own exit handler waits for ever in the child

  const int code = test::in_forked_child([] {
    std::exit(7);  // NOLINT(concurrency-mt-unsafe): runs the destructors
    return 0;
  });

  CHECK(code == 7);
}

TEST_CASE("a forked child exits cleanly through the destructors of its parent's objects", "[context][fork]") {
  for (int i = 0; i < 10; ++i) {
    const auto result = test::run_hidden_test("[child_fork_exit]", {}, 30s);
    CAPTURE(i, result.output);
    REQUIRE(result.exit_code == 0);
  }
}

TEST_CASE("a child may drop what its parent made and stored", "[context][fork]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder cache;
    std::optional<test::OwnContext> own(std::in_place, rig.device, "on", cache.path());
    std::optional<Kernel> kernel(std::in_place, own->context, "kernel void one(global int* x) { x[0] = 1; }", "one");
    std::optional<Buffer<int>> buffer(std::in_place, own->context, 1);
    launch(own->queue, *kernel, 1, *buffer).wait();
    flush_kernel_cache(own->context);  // its thread now waits for more to store

    const int code = test::in_forked_child([&] {
      buffer.reset();
      kernel.reset();
      own.reset();
      return 0;
    });

    CHECK(code == 0);
  });
}
