// Needs: a driver with threads
#include "anycl/memory/buffer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/layer.hpp"
#include "support/live_objects.hpp"
#include "support/stub.hpp"
#include "support/work.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using test::LiveObjects;
using Uints = std::vector<std::uint32_t>;

static_assert(!std::is_copy_constructible_v<Buffer<int>> && std::is_nothrow_move_constructible_v<Buffer<int>>);

namespace {

Context context_on(const Device& device) { return Context{std::vector<Device>{device}}; }

std::uint64_t largest_allocation(const Context& context) {
  std::uint64_t largest = 0;
  for (const Device& device : context.devices())
    largest = std::max(largest, device.capabilities().max_allocation_bytes);
  return largest;
}

}  // namespace

TEST_CASE("a buffer knows its size in elements and bytes", "[memory][buffer]") {
  Context& context = test::shared_context();
  struct Odd {
    char bytes[3];
  };

  CHECK(Buffer<double>(context, 5).size() == 5);
  CHECK(Buffer<double>(context, 5).size_bytes() == 40);
  CHECK(Buffer<Odd>(context, 5).size_bytes() == 15);
  CHECK(Buffer<int>(context, 0).size() == 0);
}

TEST_CASE("a buffer that was never written gives zeros", "[memory][buffer]") {
  test::for_each_device(
      [](test::Rig& rig) { CHECK(to_host(Buffer<std::uint32_t>(rig.context, 1000)) == Uints(1000, 0)); });
}

TEST_CASE("a buffer from host data has copied it before it is there", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    Context context = context_on(rig.device);
    Uints host(100'000);
    std::iota(host.begin(), host.end(), 1u);
    const Uints want = host;

    const Buffer<std::uint32_t> buffer(context, host);
    std::fill(host.begin(), host.end(), 0u);
    host = Uints();

    CHECK(to_host(buffer) == want);
  });
}

TEST_CASE("an empty buffer takes part in everything and allocates nothing", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    const LiveObjects live;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> empty(rig.context, 0), other(rig.context, Uints{});
    Uints nothing;

    write(rig.queue, empty, nothing).wait();
    write(rig.queue, empty, Uints{}).wait();
    read(rig.queue, empty, nothing).wait();
    copy(rig.queue, empty, other).wait();
    fill(rig.queue, empty, 7).wait();
    launch_advance(rig.queue, work, empty, 1, 1).wait();
    launch(rig.queue, work.advance, 10, empty, 1, 1, 0).wait();

    CHECK(to_host(empty).empty());
    CHECK(LiveObjects::buffer_calls == 0);
  });
}

TEST_CASE("no device memory is taken before first use", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    const LiveObjects live;
    Buffer<std::uint32_t> buffer(rig.context, 1000);
    CHECK(LiveObjects::buffer_calls == 0);

    fill(rig.queue, buffer, 1).wait();

    CHECK(LiveObjects::buffer_calls == 1);
  });
}

TEST_CASE(
    "a buffer over the largest allocation is refused before any driver call, with the numbers [OCL-031] [OCL-035]",
    "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    const LiveObjects live;
    Context context = context_on(rig.device);
    const std::uint64_t limit = rig.device.capabilities().max_allocation_bytes;

    CHECK_THROWS_AS(Buffer<std::byte>(context, limit + 1), OutOfMemory);
    CHECK_THROWS_WITH(Buffer<std::byte>(context, limit + 1),
                      Contains(std::to_string(limit + 1)) && Contains(std::to_string(limit)));
    CHECK_NOTHROW(Buffer<std::byte>(context, limit));  // takes nothing before use
    try {
      const Buffer<std::uint64_t> buffer(context, limit / 8 + 1);
      FAIL("nothing was thrown");
    } catch (const OutOfMemory& error) {
      CHECK(error.bytes_asked() == (limit / 8 + 1) * 8);
      CHECK(error.bytes_limit() == limit);
    }
    CHECK(LiveObjects::buffer_calls == 0);
  });
}

TEST_CASE("a buffer of just the largest allocation is asked for as it is, and a late refusal is OutOfMemory [OCL-037]",
          "[memory][buffer]") {
  static std::atomic<std::size_t> asked{0};
  static std::atomic<cl_int> answer{0};
  answer = GENERATE(CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY);

  test::for_each_device([](test::Rig& rig) {
    Context context = context_on(rig.device);
    Queue queue(context, rig.device);
    const std::uint64_t limit = rig.device.capabilities().max_allocation_bytes;
    Buffer<std::byte> buffer(context, limit);
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clCreateBuffer = [](cl_context, cl_mem_flags, size_t size, void*, cl_int* result) -> cl_mem {
        asked = size;
        return *result = answer, nullptr;
      };
    });

    try {
      fill(queue, buffer, std::byte{1});
      FAIL("nothing was thrown");
    } catch (const OutOfMemory& error) {
      CHECK(error.bytes_asked() == limit);
      CHECK(error.bytes_limit() == limit);
    }
    CHECK(asked == limit);
  });
}

TEST_CASE("a buffer that only other devices can hold is refused where it does not fit [OCL-038]", "[memory][buffer]") {
  Context& context = test::shared_context();
  const std::uint64_t largest = largest_allocation(context);
  Buffer<std::byte> buffer(context, largest);

  for (const Device& device : context.devices()) {
    if (device.capabilities().max_allocation_bytes >= largest) continue;
    INFO("on " << device.name());
    const LiveObjects live;
    Queue queue(context, device);
    CHECK_THROWS_AS(fill(queue, buffer, std::byte{1}), OutOfMemory);
    CHECK_THROWS_WITH(fill(queue, buffer, std::byte{1}), Contains(device.name()));
    CHECK(LiveObjects::buffer_calls == 0);
  }
  SUCCEED();
}

TEST_CASE("a count whose bytes do not fit 64 bits is refused [OCL-055]", "[memory][buffer]") {
  Context& context = test::shared_context();
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

  CHECK_THROWS_AS(Buffer<std::uint64_t>(context, most), OutOfMemory);
  CHECK_THROWS_AS(Buffer<std::uint64_t>(context, most / 8 + 1), OutOfMemory);
  CHECK_THROWS_AS(Buffer<std::uint64_t>(context, most / 8 + 2), OutOfMemory);
  CHECK_THROWS_AS(Buffer<char>(context, most), OutOfMemory);
}

TEST_CASE("what the driver refuses to allocate is OutOfMemory and can be tried again", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    Buffer<std::uint32_t> buffer(rig.context, 1000);
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clCreateBuffer = [](cl_context, cl_mem_flags, size_t, void*, cl_int* code) -> cl_mem {
          *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
          return nullptr;
        };
      });
      CHECK_THROWS_AS(fill(rig.queue, buffer, 1), OutOfMemory);
      CHECK_THROWS_WITH(fill(rig.queue, buffer, 1), Contains("4000") && Contains(rig.device.name()));
      CHECK_THROWS_AS(Buffer<std::uint32_t>(rig.context, Uints(10)), OutOfMemory);
    }

    fill(rig.queue, buffer, 3);

    CHECK(to_host(buffer) == Uints(1000, 3));
  });
}

TEST_CASE("a buffer destroyed right after a slow launch keeps its memory until that is done [OCL-046]",
          "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> result(rig.context, Uints(test::kSlowSize, 0));

    for (int round = 0; round < 3; ++round) {
      {
        Buffer<std::uint32_t> doomed(rig.context, Uints(test::kSlowSize, 1));
        launch_slow(rig.queue, work, doomed);
        launch_combine(rig.queue, work, doomed, result, 0);
      }
      Buffer<std::uint32_t> next(rig.context, Uints(test::kSlowSize, 99));  // would reuse the memory
      launch_advance(rig.queue, work, next, 1, 1);
    }

    CHECK(to_host(result) == Uints(test::kSlowSize, test::slow_value(1)));
  });
}

TEST_CASE("a moved buffer keeps contents and pending work", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> from(rig.context, Uints(100, 1));
    launch_advance(rig.queue, work, from, 3, 2);

    Buffer<std::uint32_t> to = std::move(from);
    launch_advance(rig.queue, work, to, 2, 0);

    CHECK(to_host(to) == Uints(100, 10));
  });
}

TEST_CASE("a buffer of another context is refused by every verb", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    Context other = context_on(rig.device);
    Buffer<std::uint32_t> foreign(other, Uints(16, 1)), own(rig.context, Uints(16, 1));
    const test::Work work(rig.context), foreign_work(other);
    Uints host(16);

    CHECK_THROWS_AS(launch_advance(rig.queue, work, foreign, 1, 1), InvalidArgument);
    CHECK_THROWS_AS(launch_combine(rig.queue, work, foreign, own, 1), InvalidArgument);
    CHECK_THROWS_AS(launch_advance(rig.queue, foreign_work, own, 1, 1), InvalidArgument);
    CHECK_THROWS_AS(read(rig.queue, foreign, host), InvalidArgument);
    CHECK_THROWS_AS(write(rig.queue, foreign, host), InvalidArgument);
    CHECK_THROWS_AS(fill(rig.queue, foreign, 1), InvalidArgument);
    CHECK_THROWS_AS(copy(rig.queue, foreign, own), InvalidArgument);
    CHECK_THROWS_AS(copy(rig.queue, own, foreign), InvalidArgument);

    CHECK(to_host(own) == Uints(16, 1));
    CHECK(to_host(foreign) == Uints(16, 1));
  });
}

TEST_CASE("one launch may take the same buffer twice", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(1000, 5));
    Queue other(rig.context, rig.device);

    launch_combine(rig.queue, work, buffer, buffer, 2);  // 2 * 5 + 5
    launch_combine(other, work, buffer, buffer, 2);

    CHECK(to_host(buffer) == Uints(1000, 45));
  });
}

TEST_CASE("two threads that launch (x, y) and (y, x) do not deadlock", "[memory][buffer]") {
  test::for_each_device([](test::Rig& rig) {
    constexpr int rounds = 500;
    const test::Work work(rig.context);
    Buffer<std::uint32_t> x(rig.context, Uints(8, 0)), y(rig.context, Uints(8, 0));
    const auto run = [&](Buffer<std::uint32_t>& from, Buffer<std::uint32_t>& to) {
      Queue queue(rig.context, rig.device);
      for (int i = 0; i < rounds; ++i) {
        launch_combine(queue, work, from, to, 1);
        if (i % 3 == 0) copy(queue, from, to);
        if (i % 50 == 0) queue.finish();
      }
      queue.finish();
    };

    std::thread other([&] { run(y, x); });
    run(x, y);
    other.join();

    CHECK(to_host(x) == Uints(8, 0));
    CHECK(to_host(y) == Uints(8, 0));
  });
}

TEST_CASE("child: a buffer that only one of two devices can hold", "[.][child_unequal_devices]") {
  REQUIRE(test::layer_is_up());
  Context context("*");
  REQUIRE(context.devices().size() == 2);
  const bool first_is_large = context.device(0).capabilities().max_allocation_bytes > 1000;
  Queue large(context, context.device(first_is_large ? 0 : 1)), small(context, context.device(first_is_large ? 1 : 0));
  REQUIRE(interop::native_context(context, large.device()) == interop::native_context(context, small.device()));
  const Uints numbers(1000, 7);
  Buffer<std::uint32_t> buffer(context, numbers);

  CHECK_THROWS_AS(fill(small, buffer, 8u), OutOfMemory);
  CHECK_THROWS_WITH(fill(small, buffer, 8u),
                    Contains("4000 bytes") && Contains(small.device().name()) && Contains("is 1000 bytes"));
  CHECK(to_host(buffer) == numbers);
  fill(large, buffer, 9u).wait();
  CHECK(to_host(buffer) == Uints(1000, 9));
}

TEST_CASE("a buffer is kept from a device that cannot hold it, though one of the same driver does [OCL-031]",
          "[memory][buffer]") {
  test::StubFolder drivers;
  drivers.add("two", "devices=amd-rx-7900-xtx,amd-vega-8");
  auto changes = drivers.variables();
  for (auto& change :
       test::under_layer("answer CL_DEVICE_MAX_MEM_ALLOC_SIZE number=1000 device=gfx90c*; handles; late"))
    changes.push_back(std::move(change));

  const auto child = test::run_hidden_test("[child_unequal_devices]", changes);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}
