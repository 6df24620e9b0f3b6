// Needs: a driver with threads
#include "anycl/memory/transfer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/failing_work.hpp"
#include "support/faults.hpp"
#include "support/random.hpp"
#include "support/variable.hpp"
#include "support/work.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using Uints = std::vector<std::uint32_t>;

namespace {

/// An element of any size.
template <std::size_t Size>
struct Element {
  std::array<std::uint8_t, Size> bytes;

  friend bool operator==(const Element&, const Element&) = default;
};

template <class T>
std::vector<T> random_elements(std::size_t size, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<T> elements(size);
  for (T& element : elements)
    for (auto& byte : element.bytes) byte = static_cast<std::uint8_t>(random.bits());
  return elements;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("parts of a buffer are written, filled, copied and read exactly, for any element size",
                       "[memory][transfer]", ((std::size_t Size), Size), 1, 2, 3, 4, 8, 12, 16, 24) {
  using T = Element<Size>;
  const auto size = GENERATE(as<std::size_t>{}, 1, 2, 17, 1000, 4099);
  CAPTURE(size);

  test::for_each_device([&](test::Rig& rig) {
    test::Random random(size * 31 + Size);
    auto model = random_elements<T>(size, 1);
    auto other_model = random_elements<T>(size, 2);
    Buffer<T> buffer(rig.context, model), other(rig.context, other_model);

    for (std::uint64_t round = 0; round < 8; ++round) {
      const std::size_t first = random.below(size), count = random.below(size - first + 1);
      const auto at = [first](auto& elements) { return elements.begin() + static_cast<std::ptrdiff_t>(first); };
      const auto host = random_elements<T>(count, round);
      write(rig.queue, buffer, host, first);
      std::copy(host.begin(), host.end(), at(model));

      const auto value = random_elements<T>(1, round + 100).front();
      fill(rig.queue, other, value, first, count);
      std::fill_n(at(other_model), count, value);

      const std::size_t to = random.below(size - count + 1);
      copy(rig.queue, buffer, first, other, to, count);
      std::copy_n(at(model), count, other_model.begin() + static_cast<std::ptrdiff_t>(to));

      std::vector<T> part(count);
      read(rig.queue, other, part, first).wait();
      CHECK(std::equal(part.begin(), part.end(), at(other_model)));
    }

    CHECK(to_host(buffer) == model);
    CHECK(to_host(other) == other_model);
  });
}

TEST_CASE("whole buffers are filled and copied", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    Buffer<std::uint32_t> from(rig.context, 1001), to(rig.context, 2000);

    fill(rig.queue, from, 0xdeadbeef);
    fill(rig.queue, to, 1);
    copy(rig.queue, from, to);

    Uints want(2000, 1);
    std::fill_n(want.begin(), 1001, 0xdeadbeef);
    CHECK(to_host(to) == want);
  });
}

TEST_CASE("a range past the end is refused with the numbers, and nothing is changed", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1)), small(rig.context, Uints(10, 1));
    Uints host(5, 9);

    CHECK_THROWS_WITH(write(rig.queue, buffer, host, 96), Contains("write") && Contains("96") && Contains("100"));
    CHECK_THROWS_AS(write(rig.queue, buffer, Uints(5, 9), 96), InvalidArgument);
    CHECK_THROWS_AS(write(rig.queue, buffer, host, 101), InvalidArgument);
    CHECK_THROWS_WITH(read(rig.queue, buffer, host, 96), Contains("read"));
    CHECK_THROWS_WITH(fill(rig.queue, buffer, 9, 96, 5), Contains("fill"));
    CHECK_THROWS_WITH(copy(rig.queue, buffer, 96, small, 0, 5), Contains("copy from"));
    CHECK_THROWS_WITH(copy(rig.queue, buffer, 0, small, 6, 5), Contains("copy to"));
    CHECK_THROWS_AS(copy(rig.queue, buffer, small), InvalidArgument);

    CHECK(to_host(buffer) == Uints(100, 1));
    CHECK(to_host(small) == Uints(10, 1));
  });
}

TEST_CASE("positions and counts near 2^64 do not wrap round", "[memory][transfer]") {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  test::for_each_device([](test::Rig& rig) {
    Buffer<std::uint32_t> buffer(rig.context, Uints(100, 1)), other(rig.context, Uints(100, 1));
    Uints host(5, 9);

    CHECK_THROWS_AS(write(rig.queue, buffer, host, most), InvalidArgument);
    CHECK_THROWS_AS(write(rig.queue, buffer, host, most - 4), InvalidArgument);
    CHECK_THROWS_AS(read(rig.queue, buffer, host, most - 4), InvalidArgument);
    CHECK_THROWS_AS(fill(rig.queue, buffer, 9, 1, most), InvalidArgument);
    CHECK_THROWS_AS(fill(rig.queue, buffer, 9, most, 1), InvalidArgument);
    CHECK_THROWS_AS(copy(rig.queue, buffer, 1, other, 0, most), InvalidArgument);
    CHECK_THROWS_AS(copy(rig.queue, buffer, 0, other, most, 2), InvalidArgument);

    CHECK(to_host(buffer) == Uints(100, 1));
  });
}

TEST_CASE("a copy within one buffer is made unless its ranges overlap", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    Uints model(100);
    std::iota(model.begin(), model.end(), 0u);
    Buffer<std::uint32_t> buffer(rig.context, model);

    CHECK_THROWS_WITH(copy(rig.queue, buffer, 0, buffer, 49, 50), Contains("overlap"));
    CHECK_THROWS_WITH(copy(rig.queue, buffer, 49, buffer, 0, 50), Contains("overlap"));
    CHECK_THROWS_WITH(copy(rig.queue, buffer, buffer), Contains("overlap"));
    copy(rig.queue, buffer, 0, buffer, 50, 50);

    std::copy_n(model.begin(), 50, model.begin() + 50);
    CHECK(to_host(buffer) == model);
  });
}

TEST_CASE("empty transfers complete in their place in the queue, at either end of a buffer", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));
    Uints nothing;
    const Event before = launch_slow(rig.queue, work, buffer);

    const std::vector<Event> events{write(rig.queue, buffer, nothing, test::kSlowSize),
                                    read(rig.queue, buffer, nothing, 0), fill(rig.queue, buffer, 1, test::kSlowSize, 0),
                                    copy(rig.queue, buffer, 0, buffer, 0, 0)};
    events.front().wait();

    CHECK(before.wait_for(std::chrono::milliseconds(10)));  // it takes 160 ms; rusticl tells of the end in any order
    for (const Event& event : events) CHECK_NOTHROW(event.wait());
    CHECK_THROWS_AS(write(rig.queue, buffer, nothing, test::kSlowSize + 1), InvalidArgument);
  });
}

TEST_CASE("a span is borrowed until the event completes, then is the caller's again", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    Uints host(100'000);
    std::iota(host.begin(), host.end(), 0u);
    const Uints want = host;
    Buffer<std::uint32_t> buffer(rig.context, host.size());

    write(rig.queue, buffer, host).wait();
    std::fill(host.begin(), host.end(), 0u);

    CHECK(to_host(buffer) == want);
  });
}

TEST_CASE("a vector given away is kept until the write is done [OCL-050]", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> busy(rig.context, Uints(test::kSlowSize, 1));
    launch_slow(rig.queue, work, busy);  // the writes below wait behind it
    std::vector<Buffer<std::uint32_t>> buffers;

    for (std::uint32_t i = 0; i < 20; ++i) {
      buffers.emplace_back(rig.context, 5000);
      write(rig.queue, buffers.back(), Uints(5000, i));
    }
    const Uints overwrite(200'000, 77);  // takes the place of memory freed too early

    for (std::uint32_t i = 0; i < 20; ++i) CHECK(to_host(buffers[i]) == Uints(5000, i));
  });
}

TEST_CASE("a vector given away outlives the queue it was written on [OCL-050]", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> busy(rig.context, Uints(test::kSlowSize, 1)), buffer(rig.context, 5000);
    {
      Queue queue(rig.context, rig.device);
      launch_slow(queue, work, busy);
      write(queue, buffer, Uints(5000, 3));
    }

    CHECK(to_host(buffer) == Uints(5000, 3));
  });
}

TEST_CASE("a fill of an odd-sized element outlives its caller's value", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> busy(rig.context, Uints(test::kSlowSize, 1));
    Buffer<Element<12>> buffer(rig.context, 999);
    const auto values = random_elements<Element<12>>(1, 5);
    launch_slow(rig.queue, work, busy);
    {
      const auto temporary = values.front();
      fill(rig.queue, buffer, temporary);
    }

    CHECK(to_host(buffer) == std::vector<Element<12>>(999, values.front()));
  });
}

TEST_CASE("keeping thousands of given-away vectors asks the driver a few questions for each", "[memory][transfer]") {
  static std::atomic<long> questions;
  test::for_each_device([](test::Rig& rig) {
    const test::Faults counting([](detail::EntryPoints& table) {
      questions = 0;
      table.clGetEventInfo = [](cl_event a, cl_event_info b, size_t c, void* d, size_t* e) -> cl_int {
        ++questions;
        return test::real_driver().clGetEventInfo(a, b, c, d, e);
      };
    });
    const test::Work work(rig.context);
    Buffer<std::uint32_t> busy(rig.context, Uints(test::kSlowSize, 1)), buffer(rig.context, 4);
    launch_slow(rig.queue, work, busy);  // the writes below wait behind it
    constexpr std::uint32_t writes = 2000;

    for (std::uint32_t i = 0; i < writes; ++i) write(rig.queue, buffer, Uints(4, i));

    CHECK(to_host(buffer) == Uints(4, writes - 1));
    CHECK(questions < 10 * writes);
  });
}

TEST_CASE("to_host waits for work on every queue", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Queue other(rig.context, rig.device);
    Buffer<std::uint32_t> buffer(rig.context, Uints(test::kSlowSize, 1));

    launch_slow(rig.queue, work, buffer);
    launch_advance(other, work, buffer, 1, 1);

    CHECK(to_host(buffer) == Uints(test::kSlowSize, test::slow_value(1) + 1));
  });
}

TEST_CASE("a read that the driver refuses says where the contents were", "[memory][transfer]") {
  test::for_each_device([](test::Rig& rig) {
    Buffer<int> buffer(rig.context, std::vector<int>{1, 2, 3});
    fill(rig.queue, buffer, 7).wait();
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clEnqueueReadBuffer = [](cl_command_queue, cl_mem, cl_bool, size_t, size_t, void*, cl_uint, const cl_event*,
                                     cl_event*) -> cl_int { return CL_OUT_OF_RESOURCES; };
    });

    CHECK_THROWS_WITH(to_host(buffer), Catch::Matchers::Contains("buffer contents on " + rig.device.name()) &&
                                           Catch::Matchers::Contains("CL_OUT_OF_RESOURCES"));
  });
}

namespace {

/// Sizes of the fills that reach the driver.
struct Fills : test::Faults {
  Fills()
      : Faults([](detail::EntryPoints& table) {
          table.clEnqueueFillBuffer = [](cl_command_queue queue, cl_mem memory, const void* pattern,
                                         size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                         const cl_event* waits, cl_event* event) -> cl_int {
            sizes.push_back(size);
            if (sizes.size() == failing) return CL_OUT_OF_RESOURCES;
            return test::real_driver().clEnqueueFillBuffer(queue, memory, pattern, pattern_size, offset, size, count,
                                                           waits, event);
          };
        }) {
    sizes.clear();
    failing = 0;
  }

  static inline std::vector<std::size_t> sizes;
  static inline std::size_t failing = 0;
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("a fill goes in pieces that the driver bears, each of whole elements", "[memory][transfer]",
                       ((std::size_t Size), Size), 1, 4, 16, 128) {
  using T = Element<Size>;
  const auto limit = GENERATE(as<std::size_t>{}, 1, 100, 1000);
  const auto size = GENERATE(as<std::size_t>{}, 1, 100, 1001);
  const auto first = GENERATE(as<std::size_t>{}, 0, 3);
  CAPTURE(limit, size, first);
  static_cast<void>(test::shared_context());  // fails here when the driver is missing
  const test::Variable quirks("ANYCL_QUIRKS", "max_fill_bytes=" + std::to_string(limit));
  Context context(discover().devices());
  Queue queue(context, context.device(0));
  const auto before = random_elements<T>(size + 5, 1);
  const T value = random_elements<T>(1, 2).front();
  Buffer<T> buffer(context, before);
  const Fills fills;

  fill(queue, buffer, value, first, size).wait();

  const std::size_t most = std::max(limit / Size, std::size_t{1}) * Size;
  CHECK(Fills::sizes.size() == (size * Size + most - 1) / most);
  CHECK(std::all_of(Fills::sizes.begin(), Fills::sizes.end(), [&](std::size_t piece) { return piece <= most; }));
  auto wanted = before;
  std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(first), size, value);
  CHECK(to_host(buffer) == wanted);
}

TEST_CASE("a fill that the driver refuses half-way throws, and the next one is whole", "[memory][transfer]") {
  static_cast<void>(test::shared_context());
  const test::Variable quirks("ANYCL_QUIRKS", "max_fill_bytes=100");
  Context context(discover().devices());
  Queue queue(context, context.device(0));
  Buffer<std::uint32_t> buffer(context, 100);
  const Fills fills;

  Fills::failing = 3;
  CHECK_THROWS_AS(fill(queue, buffer, 7u), Error);
  fill(queue, buffer, 8u);

  CHECK(to_host(buffer) == Uints(100, 8));
}

TEST_CASE("a fill of a whole buffer in pieces needs nothing of what was lost", "[memory][transfer]") {
  static_cast<void>(test::shared_context());
  const test::Variable quirks("ANYCL_QUIRKS", "max_fill_bytes=100");
  Context context(discover().devices());
  Queue queue(context, context.device(0));
  Buffer<std::uint32_t> buffer(context, 100);
  const test::FailingWork failing;
  test::FailingWork::fail_next_write(CL_OUT_OF_RESOURCES);
  CHECK_THROWS_AS(write(queue, buffer, Uints(100, 7)).wait(), Error);

  fill(queue, buffer, 8u);

  CHECK(to_host(buffer) == Uints(100, 8));
}
