// Needs: a driver with threads
#include "anycl/context/event.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/work.hpp"

using namespace anycl;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Uints = std::vector<std::uint32_t>;

namespace {

enum class Lie { end_before_start, zeros, untouched, only_sizes, refused, longer_than_the_wait };

/// A driver whose time stamps are wrong in the way of `lie`.
void wrong_stamps(detail::EntryPoints& table, Lie lie) {
  static Lie told;
  told = lie;
  table.clGetEventProfilingInfo = [](cl_event, cl_profiling_info what, size_t, void* value,
                                     size_t* size_ret) -> cl_int {
    cl_ulong stamp = what == CL_PROFILING_COMMAND_END ? 2000 : 1000;
    switch (told) {
      case Lie::end_before_start:
        stamp = what == CL_PROFILING_COMMAND_END ? 1000 : 2000;
        break;
      case Lie::zeros:
        stamp = 0;
        break;
      case Lie::untouched:
        return CL_SUCCESS;
      case Lie::only_sizes:
        *size_ret = sizeof stamp;
        return CL_SUCCESS;
      case Lie::refused:
        return CL_PROFILING_INFO_NOT_AVAILABLE;
      case Lie::longer_than_the_wait:
        stamp = what == CL_PROFILING_COMMAND_END ? cl_ulong{1} << 62 : 1000;
        break;
    }
    std::memcpy(value, &stamp, sizeof stamp);
    if (size_ret != nullptr) *size_ret = sizeof stamp;
    return CL_SUCCESS;
  };
}

}  // namespace

TEST_CASE("a default event is complete and has no duration", "[context][event]") {
  const Event event;

  CHECK(event.status() == EventStatus::complete);
  CHECK_NOTHROW(event.wait());
  CHECK(event.wait_for(0ns));
  CHECK(event.duration_ns() == std::nullopt);
}

TEST_CASE("each status has a word", "[context][event]") {
  CHECK(to_string(EventStatus::deferred) == "deferred");
  CHECK(to_string(EventStatus::submitted) == "submitted");
  CHECK(to_string(EventStatus::complete) == "complete");
  CHECK(to_string(EventStatus::failed) == "failed");
  CHECK(to_string(EventStatus::cancelled) == "cancelled");
}

TEST_CASE("wait returns when the work is done and its result is there", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 3));
    Uints host(test::kSlowSize);

    const Event launched = launch_slow(rig.queue, work, buffer);
    const Event event = read(rig.queue, buffer, host);
    event.wait();

    CHECK(event.status() == EventStatus::complete);
    CHECK(launched.wait_for(10ms));  // it takes 160 ms; rusticl tells of the end in any order
    CHECK(host == Uints(test::kSlowSize, test::slow_value(3)));
    CHECK_NOTHROW(event.wait());
  });
}

TEST_CASE("asking for the status again and again ends, without a flush", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    const Event event = launch_advance(rig.queue, work, buffer, 1, 1);

    const auto deadline = Clock::now() + 20s;
    while (event.status() == EventStatus::submitted && Clock::now() < deadline) std::this_thread::sleep_for(1ms);

    CHECK(event.status() == EventStatus::complete);
  });
}

TEST_CASE("wait_for gives up at its limit and can be asked again", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    const Event event = launch_advance(rig.queue, work, buffer, 1, 1);
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clGetEventInfo = [](cl_event, cl_event_info, size_t size, void* value, size_t* size_ret) -> cl_int {
          const cl_int status = CL_RUNNING;
          if (value != nullptr && size >= sizeof status) std::memcpy(value, &status, sizeof status);
          if (size_ret != nullptr) *size_ret = sizeof status;
          return CL_SUCCESS;
        };
      });

      const auto begin = Clock::now();
      CHECK_FALSE(event.wait_for(0ns));
      CHECK_FALSE(event.wait_for(30ms));
      CHECK_FALSE(event.wait_for(-5s));
      const auto spent = Clock::now() - begin;

      CHECK(spent >= 30ms);
      CHECK(spent < 5s);
      CHECK(event.status() == EventStatus::submitted);
    }
    CHECK(event.wait_for(20s));
    CHECK(event.status() == EventStatus::complete);
  });
}

TEST_CASE("wait_for with the largest limit does not overflow", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));

    CHECK(launch_slow(rig.queue, work, buffer).wait_for(std::chrono::nanoseconds::max()));
  });
}

TEST_CASE("copies name the same event and outlive its other handles", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    Event first = launch_advance(rig.queue, work, buffer, 1, 1);

    Event copy = first;
    Event moved = std::move(first);
    const Event& same = copy;
    copy = same;
    first = Event();
    moved = Event();
    copy.wait();

    CHECK(copy.status() == EventStatus::complete);
    CHECK(to_host(buffer) == Uints(100, 2));
  });
}

TEST_CASE("many threads may wait for one event", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));
    const Event event = launch_slow(rig.queue, work, buffer);
    std::vector<EventStatus> seen(8, EventStatus::failed);

    std::vector<std::thread> threads;
    for (EventStatus& status : seen)
      threads.emplace_back([event, &status] {
        event.wait();
        status = event.status();
      });
    for (std::thread& thread : threads) thread.join();

    CHECK(seen == std::vector<EventStatus>(8, EventStatus::complete));
  });
}

TEST_CASE("a duration is positive and no longer than the host saw pass [OCL-193]", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));
    Queue queue(rig.context, rig.device, {.profiling = true});
    launch_advance(queue, work, buffer, 1, 1).wait();  // the first launch of a driver may take long

    const auto begin = Clock::now();
    const auto duration = launch_slow(queue, work, buffer).duration_ns();
    const auto spent = std::chrono::nanoseconds(Clock::now() - begin).count();

    REQUIRE(duration.has_value() == rig.device.capabilities().timestamps_trusted);
    if (duration) {
      CHECK(*duration > 100'000);
      CHECK(*duration <= static_cast<std::uint64_t>(spent));
    }
  });
}

TEST_CASE("stamps that move by 1 ns per command are not taken for durations [OCL-191]", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    if (rig.device.platform_alias() != "rusticl") return;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    Queue queue(rig.context, rig.device, {.profiling = true});

    CHECK_FALSE(rig.device.capabilities().timestamps_trusted);
    CHECK(launch_advance(queue, work, buffer, 1, 1).duration_ns() == std::nullopt);
  });
}

TEST_CASE("a queue that does not profile gives no duration", "[context][event]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));

    CHECK(launch_advance(rig.queue, work, buffer, 1, 1).duration_ns() == std::nullopt);
  });
}

TEST_CASE("impossible time stamps give no duration [OCL-190]", "[context][event]") {
  const Lie lie = GENERATE(Lie::end_before_start, Lie::zeros, Lie::untouched, Lie::only_sizes, Lie::refused,
                           Lie::longer_than_the_wait);
  CAPTURE(static_cast<int>(lie));

  test::for_each_device([&](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1));
    Queue queue(rig.context, rig.device, {.profiling = true});
    const test::Faults faults([&](detail::EntryPoints& table) { wrong_stamps(table, lie); });

    const Event event = launch_advance(queue, work, buffer, 1, 1);

    CHECK(event.duration_ns() == std::nullopt);
    CHECK(event.status() == EventStatus::complete);
  });
}
