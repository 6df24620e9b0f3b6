// Needs: a driver with threads
#include "anycl/context/queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/layer.hpp"
#include "support/live_objects.hpp"
#include "support/process.hpp"
#include "support/random.hpp"
#include "support/sanitizer.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// rusticl needs 400 us for a launch, others 2: as many as take some seconds.
int launches_for(const Device& device, int many) { return device.platform_alias() == "rusticl" ? many / 40 : many; }

/// Launches with a finish now and then, as many programs do: what is pending may take memory, what is done may not.
void launch_often(Queue& queue, const test::Work& work, Buffer<std::uint32_t>& buffer, int launches) {
  for (int i = 0; i < launches; ++i) {
    launch_advance(queue, work, buffer, 1, 1);
    if (i % 1000 == 999) queue.finish();
  }
  queue.finish();
}

void check_growth(test::Rig& rig, QueueOptions options) {
  constexpr int many = 200'000;
  constexpr std::size_t allowed = std::size_t{6} << 20;  // 31 bytes a launch: less than an event takes
  const test::Work work(rig.context);
  Buffer<std::uint32_t> buffer(rig.context, Uints(8, 0));
  Queue queue(rig.context, rig.device, options);
  const int launches = launches_for(rig.device, many);
  launch_often(queue, work, buffer, launches / 4);

  const std::size_t before = test::resident_bytes();
  launch_often(queue, work, buffer, launches);
  const std::size_t after = test::resident_bytes();

  CHECK(after <= before + (launches == many ? allowed : allowed / 6));
  CHECK(to_host(buffer) == Uints(8, static_cast<std::uint32_t>(launches / 4 + launches)));
}

}  // namespace

TEST_CASE("a queue runs its work in order", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    std::uint32_t want = 1;

    for (std::uint32_t i = 0; i < 500; ++i) {
      launch_advance(rig.queue, work, buffer, 3, i);
      want = want * 3 + i;
    }
    rig.queue.finish();

    CHECK(to_host(buffer) == Uints(100, want));
  });
}

TEST_CASE("flush and finish leave nothing pending [OCL-172]", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));
    Uints host(test::kSlowSize);
    const Event launched = launch_slow(rig.queue, work, buffer);
    const Event event = read(rig.queue, buffer, host);

    rig.queue.flush();
    rig.queue.finish();

    CHECK(host == Uints(test::kSlowSize, test::slow_value(1)));
    CHECK(launched.status() == EventStatus::complete);
    CHECK(event.status() == EventStatus::complete);
  });
}

TEST_CASE("an unused queue flushes and finishes", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    CHECK_NOTHROW(rig.queue.flush());
    CHECK_NOTHROW(rig.queue.finish());
    CHECK(rig.queue.device() == rig.device);
  });
}

TEST_CASE("eight threads share one queue and lose no launch", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    constexpr std::uint32_t threads = 8, launches = 1000;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> shared(rig.context, Uints(64, 0));
    std::vector<Buffer<std::uint32_t>> own;
    for (std::uint32_t i = 0; i < threads; ++i) own.emplace_back(rig.context, Uints(64, i));

    std::vector<std::thread> running;
    for (Buffer<std::uint32_t>& buffer : own)
      running.emplace_back([&] {
        for (std::uint32_t i = 0; i < launches; i += 2) {
          launch_advance(rig.queue, work, shared, 1, 1);
          launch_advance(rig.queue, work, buffer, 3, i);
          if (i % 256 == 0) rig.queue.finish();
        }
      });
    for (std::thread& thread : running) thread.join();
    rig.queue.finish();

    CHECK(to_host(shared) == Uints(64, threads * launches / 2));
    for (std::uint32_t i = 0; i < threads; ++i) {
      std::uint32_t want = i;
      for (std::uint32_t k = 0; k < launches; k += 2) want = want * 3 + k;
      CHECK(to_host(own[i]) == Uints(64, want));
    }
  });
}

TEST_CASE("buffers order work on several queues as it was given [OCL-157]", "[context][queue]") {
  const auto seed = GENERATE(range(1u, 21u));
  CAPTURE(seed);

  test::for_each_device([&](test::Rig& rig) {
    const test::Work work(rig.context);
    test::Random random(seed);
    std::vector<Queue> queues;
    std::vector<Buffer<std::uint32_t>> buffers;
    Uints model;
    for (std::size_t i = 0; i < 3; ++i) {
      queues.emplace_back(rig.context, rig.device);
      model.push_back(static_cast<std::uint32_t>(random.below(100)));
      buffers.emplace_back(rig.context, Uints(32, model[i]));
    }

    for (int i = 0; i < 60; ++i) {
      Queue& queue = queues[random.below(queues.size())];
      const std::size_t from = random.below(3), to = (from + 1 + random.below(2)) % 3;
      const auto factor = static_cast<std::uint32_t>(random.below(1000));
      if (random.below(2) == 0) {
        launch_advance(queue, work, buffers[to], factor, 1);
        model[to] = model[to] * factor + 1;
      } else {
        launch_combine(queue, work, buffers[from], buffers[to], factor);
        model[to] = model[to] * factor + model[from];
      }
    }

    for (std::size_t i = 0; i < 3; ++i) CHECK(to_host(buffers[i]) == Uints(32, model[i]));
  });
}

TEST_CASE("a reader on another queue waits for a slow writer, and a writer for slow readers", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Queue other(rig.context, rig.device);
    Buffer<std::uint32_t> x(rig.context, Uints(test::kSlowSize, 1)), y(rig.context, Uints(test::kSlowSize, 0));

    launch_slow(rig.queue, work, x);
    launch_combine(other, work, x, y, 0);  // after the slow write of x
    launch_slow(other, work, y);
    launch_advance(rig.queue, work, x, 0, 9);  // after the read of x by combine

    CHECK(to_host(x) == Uints(test::kSlowSize, 9));
    CHECK(to_host(y) == Uints(test::kSlowSize, test::slow_value(test::slow_value(1))));
  });
}

TEST_CASE("launches leave no memory behind [OCL-175]", "[context][queue]") {
  if (test::kOwnAllocator) ANYCL_SKIP("a sanitizer keeps freed memory, so growth says nothing");
  test::for_each_device([](test::Rig& rig) { check_growth(rig, {}); });
}

TEST_CASE("profiled launches leave no memory behind [OCL-179]", "[context][queue]") {
  if (test::kOwnAllocator) ANYCL_SKIP("a sanitizer keeps freed memory, so growth says nothing");
  test::for_each_device([](test::Rig& rig) { check_growth(rig, {.profiling = true}); });
}

TEST_CASE("events of many launches are let go of [OCL-175]", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    const test::LiveObjects live;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(8, 0));
    Queue queue(rig.context, rig.device);

    launch_often(queue, work, buffer, launches_for(rig.device, 20'000));

    CHECK(test::LiveObjects::events <= 2);  // the buffer's last use
  });
}

TEST_CASE("a buffer that many short-lived queues read does not keep them", "[context][queue]") {
  test::for_each_device([](test::Rig& rig) {
    const test::LiveObjects live;
    const test::Work work(rig.context);
    const Buffer<std::uint32_t> constant(rig.context, Uints(8, 1));
    Buffer<std::uint32_t> sum(rig.context, Uints(8, 0));

    for (int i = 0; i < 100; ++i) {
      Queue queue(rig.context, rig.device);
      launch_combine(queue, work, constant, sum, 1).wait();
    }

    CHECK(to_host(sum) == Uints(8, 100));
    CHECK(test::LiveObjects::queues <= 5);
  });
}

TEST_CASE("child: a queue goes before its work was flushed", "[.][child_gone_queue]") {
  REQUIRE(test::layer_is_up());
  Context context;
  Buffer<std::uint32_t> buffer(context, Uints(8, 1));
  const test::Work work(context);
  Event event;
  {
    Queue queue(context, context.device(0));
    event = launch_advance(queue, work, buffer, 3, 1);
  }

  // The driver itself is asked: questions to the library flush.
  const cl_event native = interop::native_event(event);
  cl_int status = CL_QUEUED;
  while (status > CL_COMPLETE) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(test::real_driver().clGetEventInfo(native, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                               nullptr) == 0);
  }
  CHECK(status == CL_COMPLETE);
}

TEST_CASE("work of a queue that is gone begins, though its driver waits for a flush", "[context][queue]") {
  auto changes = test::under_layer("hold until=flush; handles; late");
  changes.push_back("ANYCL_CACHE=off");  // it would flush, to know when a kernel may be stored

  const auto child = test::run_hidden_test("[child_gone_queue]", changes, std::chrono::seconds(20));

  CAPTURE(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK(child.exit_code == 0);
}
