// Work that a driver takes and that fails later: who is told, when, and how often.
// Needs: a driver
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/failing_work.hpp"
#include "support/faults.hpp"
#include "support/log_capture.hpp"
#include "support/work.hpp"

using namespace anycl;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using test::FailingWork;
using Uints = std::vector<std::uint32_t>;

namespace {

/// Until the event is final, without asking for its error.
void await_end(const Event& event) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (event.status() == EventStatus::submitted && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(1ms);
}

/// What each test here works with.
struct Bench {
  explicit Bench(test::Rig& rig)
      : queue(rig.context, rig.device), work(rig.context), buffer(rig.context, Uints(100, 1)) {
    launch_advance(queue, work, buffer, 1, 0).wait();
  }

  Event fail(cl_int code) {
    FailingWork::fail_next_launch(code);
    return launch_advance(queue, work, buffer, 1, 1);
  }

  Event fail_elsewhere(Buffer<std::uint32_t>& other, cl_int code) {
    FailingWork::fail_next_launch(code);
    return launch_advance(queue, work, other, 1, 1);
  }

  FailingWork failing;
  Queue queue;
  test::Work work;
  Buffer<std::uint32_t> buffer;
};

}  // namespace

TEST_CASE("waiting for a failed launch names the kernel, the device and the code [OCL-188]", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);

    const Event event = bench.fail(CL_OUT_OF_RESOURCES);

    CHECK_THROWS_AS(event.wait(), ClError);
    CHECK_THROWS_WITH(event.wait(), Contains("launch advance") && Contains(rig.device.name()) && Contains("(-5)"));
    CHECK_THROWS_AS((void)event.wait_for(1s), ClError);
    CHECK(event.status() == EventStatus::failed);
  });
}

TEST_CASE("the kind of error follows the driver's code", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);

    CHECK_THROWS_AS(bench.fail(CL_MEM_OBJECT_ALLOCATION_FAILURE).wait(), OutOfMemory);
    Buffer<std::uint32_t> other(rig.context, Uints(100, 1));
    CHECK_THROWS_AS(bench.fail_elsewhere(other, CL_DEVICE_NOT_AVAILABLE).wait(), DeviceLost);
    Buffer<std::uint32_t> third(rig.context, Uints(100, 1));
    try {
      bench.fail_elsewhere(third, -9999).wait();
      FAIL("nothing was thrown");
    } catch (const ClError& error) {
      CHECK(error.code() == -9999);
    }
  });
}

TEST_CASE("finish throws the first error that nobody waited for, and only once", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    Buffer<std::uint32_t> other(rig.context, Uints(100, 1));
    bench.fail(CL_OUT_OF_RESOURCES);
    bench.fail_elsewhere(other, CL_OUT_OF_HOST_MEMORY);

    CHECK_THROWS_WITH(bench.queue.finish(), Contains("launch advance") && Contains("(-5)"));
    CHECK_NOTHROW(bench.queue.finish());
  });
}

TEST_CASE("finish is silent about an error that was waited for", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    const Event event = bench.fail(CL_OUT_OF_RESOURCES);

    CHECK_THROWS_AS(event.wait(), ClError);

    CHECK_NOTHROW(bench.queue.finish());
  });
}

TEST_CASE("an error that was waited for does not hide a later one from finish", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    Buffer<std::uint32_t> other(rig.context, Uints(100, 1));
    const Event first = bench.fail(CL_OUT_OF_RESOURCES);
    bench.fail_elsewhere(other, CL_OUT_OF_HOST_MEMORY);

    CHECK_THROWS_WITH(first.wait(), Contains("(-5)"));

    CHECK_THROWS_WITH(bench.queue.finish(), Contains("(-6)"));
  });
}

TEST_CASE("an error outlives the questions of later work", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    Buffer<std::uint32_t> other(rig.context, Uints(100, 1));
    bench.fail(CL_OUT_OF_RESOURCES);
    await_end(bench.fail_elsewhere(other, CL_OUT_OF_HOST_MEMORY));

    Buffer<std::uint32_t> fine(rig.context, Uints(100, 1));
    for (int i = 0; i < 3000; ++i) launch_advance(bench.queue, bench.work, fine, 1, 1);

    CHECK_THROWS_WITH(bench.queue.finish(), Contains("(-5)"));
  });
}

TEST_CASE("using a buffer that could not be written throws the first cause [OCL-188]", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    await_end(bench.fail(CL_OUT_OF_RESOURCES));
    Uints host(100);

    CHECK_THROWS_AS(launch_advance(bench.queue, bench.work, bench.buffer, 1, 1), Cancelled);
    CHECK_THROWS_WITH(read(bench.queue, bench.buffer, host), Contains("launch advance") && Contains("(-5)"));
    CHECK_THROWS_WITH(to_host(bench.buffer), Contains("launch advance") && Contains("(-5)"));

    Queue elsewhere(rig.context, rig.device);
    CHECK_THROWS_AS(launch_advance(elsewhere, bench.work, bench.buffer, 1, 1), Cancelled);
  });
}

TEST_CASE("work on another queue sees the failure of its input even if nobody has asked yet", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    bench.fail(CL_OUT_OF_RESOURCES);
    bench.queue.flush();
    std::this_thread::sleep_for(200ms);
    Queue elsewhere(rig.context, rig.device);

    CHECK_THROWS_AS(launch_advance(elsewhere, bench.work, bench.buffer, 1, 1), Cancelled);
  });
}

TEST_CASE("overwriting all of a buffer heals it", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    await_end(bench.fail(CL_OUT_OF_RESOURCES));

    write(bench.queue, bench.buffer, Uints(100, 7)).wait();
    launch_advance(bench.queue, bench.work, bench.buffer, 2, 0).wait();

    CHECK(to_host(bench.buffer) == Uints(100, 14));
  });
}

TEST_CASE("a failed reader does not spoil the buffer it read", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    Buffer<std::uint32_t> target(rig.context, Uints(100, 1));
    FailingWork::fail_next_launch(CL_OUT_OF_RESOURCES);
    await_end(launch_combine(bench.queue, bench.work, bench.buffer, target, 1));
    Queue elsewhere(rig.context, rig.device);

    launch_advance(elsewhere, bench.work, bench.buffer, 1, 4).wait();

    CHECK(to_host(bench.buffer) == Uints(100, 5));
    CHECK_THROWS_AS((void)to_host(target), ClError);
  });
}

TEST_CASE("a dropped event's error is logged when its queue goes", "[context][failure]") {
  const test::LogCapture log;
  std::size_t devices = 0;

  test::for_each_device([&](test::Rig& rig) {
    {
      Bench bench(rig);
      await_end(bench.fail(CL_OUT_OF_RESOURCES));
    }
    ++devices;
    CHECK(log.count(LogLevel::error, "launch advance on " + rig.device.name()) >= 1);
    CHECK(log.count(LogLevel::error) == devices);
  });
}

TEST_CASE("an error that somebody was told of is not logged again", "[context][failure]") {
  const test::LogCapture log;

  test::for_each_device([&](test::Rig& rig) {
    Bench waited(rig);
    CHECK_THROWS_AS(waited.fail(CL_OUT_OF_RESOURCES).wait(), ClError);
    Bench finished(rig);
    finished.fail(CL_OUT_OF_RESOURCES);
    CHECK_THROWS_AS(finished.queue.finish(), ClError);
  });

  CHECK(log.count(LogLevel::error) == 0);
}

TEST_CASE("all of many dropped errors are told", "[context][failure]") {
  const test::LogCapture log;
  constexpr std::size_t failures = 200;

  test::for_each_device([&](test::Rig& rig) {
    const auto before = log.count(LogLevel::error);
    {
      Bench bench(rig);
      std::vector<Buffer<std::uint32_t>> targets;
      for (std::size_t i = 0; i < failures; ++i) {
        targets.emplace_back(rig.context, Uints(8, 1));
        await_end(bench.fail_elsewhere(targets.back(), CL_OUT_OF_RESOURCES));
      }
    }
    CHECK(log.count(LogLevel::error) - before == failures);
  });
}

TEST_CASE("a refused launch throws at once and leaves its buffers usable", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Queue queue(rig.context, rig.device);
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    launch_advance(queue, work, buffer, 1, 1).wait();
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clEnqueueNDRangeKernel = [](cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*,
                                          const size_t*, cl_uint, const cl_event*,
                                          cl_event*) -> cl_int { return CL_OUT_OF_RESOURCES; };
      });

      CHECK_THROWS_WITH(launch_advance(queue, work, buffer, 1, 1),
                        Contains("launch advance") && Contains(rig.device.name()) && Contains("(-5)"));
    }

    launch_advance(queue, work, buffer, 1, 1);
    CHECK_NOTHROW(queue.finish());
    CHECK(to_host(buffer) == Uints(100, 3));
  });
}

TEST_CASE("a failure that the driver tells only to those who wait is not lost", "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    FailingWork::fail_next_launch_in_secret();
    launch_advance(bench.queue, bench.work, bench.buffer, 1, 1);

    CHECK_THROWS_AS(bench.queue.finish(), ClError);

    Buffer<std::uint32_t> other(rig.context, Uints(100, 1));
    FailingWork::fail_next_launch_in_secret();
    const Event event = launch_advance(bench.queue, bench.work, other, 1, 1);
    await_end(event);

    CHECK_THROWS_AS((void)event.wait_for(10s), ClError);
    CHECK_THROWS_AS(event.wait(), ClError);
  });
}

TEST_CASE("one refused question about an event does not make its work ended", "[context][failure]") {
  static std::atomic<int> refusals;
  test::for_each_device([](test::Rig& rig) {
    Queue first(rig.context, rig.device), second(rig.context, rig.device);
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    launch_advance(first, work, buffer, 1, 0).wait();
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetEventInfo = [](cl_event event, cl_event_info what, size_t size, void* value,
                                size_t* size_ret) -> cl_int {
        if (refusals-- > 0) return CL_OUT_OF_HOST_MEMORY;
        return test::real_driver().clGetEventInfo(event, what, size, value, size_ret);
      };
    });

    refusals = 1;
    const Event event = launch_advance(first, work, buffer, 1, 1);
    CHECK(event.status() == EventStatus::submitted);
    refusals = 1;
    Uints seen(100);
    read(second, buffer, seen).wait();  // must still wait for the first queue's launch
    event.wait();

    CHECK(seen == to_host(buffer));
    CHECK(event.status() == EventStatus::complete);
  });
}

TEST_CASE("an event that the driver refuses to tell of for a while has failed with its code [OCL-194]",
          "[context][failure]") {
  test::for_each_device([](test::Rig& rig) {
    Bench bench(rig);
    const Event event = launch_advance(bench.queue, bench.work, bench.buffer, 1, 1);
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetEventInfo = [](cl_event, cl_event_info, size_t, void*, size_t*) -> cl_int {
        return CL_OUT_OF_RESOURCES;
      };
    });

    await_end(event);

    CHECK_THROWS_WITH(event.wait(), Contains("CL_OUT_OF_RESOURCES (-5)"));
  });
}
