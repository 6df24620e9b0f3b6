// The rules corrupt and clock.
// Needs: a driver with compiler, threads, layers
#include <array>
#include <vector>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::LayerRules, test::Owned, test::RawRig;

TEST_CASE("one byte of the second read is another", "[layer][results]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({0x11223344, 5});
  const LayerRules rules("corrupt clEnqueueReadBuffer at=2 byte=1; hold until=flush");
  const auto read = [&] {
    std::array<std::uint32_t, 2> values{};
    // Not blocking: the damage must be there all the same.
    test::check(cl().clEnqueueReadBuffer(rig.queue, buffer, CL_FALSE, 0, 8, values.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
    cl().clFinish(rig.queue);
    return values;
  };
  using Values = std::array<std::uint32_t, 2>;

  CHECK(read() == Values{0x11223344, 5});
  CHECK(read() == Values{0x1122cc44, 5});
  CHECK(read() == Values{0x11223344, 5});
}

TEST_CASE("damage past the end of a read does nothing", "[layer][results]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({7});
  const LayerRules rules("corrupt clEnqueueReadBuffer byte=4");
  std::array<std::uint32_t, 2> values{0, 9};

  test::check(cl().clEnqueueReadBuffer(rig.queue, buffer, CL_TRUE, 0, 4, values.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");

  CHECK(values == std::array<std::uint32_t, 2>{7, 9});
}

namespace {

struct Stamps {
  cl_ulong queued = 99, submit = 99, start = 99, end = 99;
};

Stamps stamps_of(cl_event event) {
  Stamps stamps;
  const auto ask = [&](cl_profiling_info param, cl_ulong& stamp) {
    test::check(cl().clGetEventProfilingInfo(event, param, sizeof(stamp), &stamp, nullptr), "clGetEventProfilingInfo");
  };
  ask(CL_PROFILING_COMMAND_QUEUED, stamps.queued);
  ask(CL_PROFILING_COMMAND_SUBMIT, stamps.submit);
  ask(CL_PROFILING_COMMAND_START, stamps.start);
  ask(CL_PROFILING_COMMAND_END, stamps.end);
  return stamps;
}

}  // namespace

TEST_CASE("time stamps go wrong in the four ways", "[layer][results]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig(CL_QUEUE_PROFILING_ENABLE);
  const auto buffer = rig.buffer(sizeof(std::uint32_t));
  const std::uint32_t value = 1;
  const auto event = rig.write(rig.queue, buffer, value);
  cl().clFinish(rig.queue);
  const Stamps real = stamps_of(event);
  REQUIRE(real.start <= real.end);

  {
    const LayerRules rules("clock reversed");
    const Stamps stamps = stamps_of(event);
    CHECK(stamps.end < stamps.start);
    CHECK(stamps.queued == real.queued);
  }
  {
    const LayerRules rules("clock zero");
    const Stamps stamps = stamps_of(event);
    CHECK(stamps.queued + stamps.submit + stamps.start + stamps.end == 0);
  }
  {
    const LayerRules rules("clock tick");
    const Stamps stamps = stamps_of(event);
    CHECK(stamps.queued == real.queued);
    CHECK(stamps.submit == real.queued + 1);
    CHECK(stamps.start == real.queued + 2);
    CHECK(stamps.end == real.queued + 3);
  }
  {
    const LayerRules rules("clock untouched");
    const Stamps stamps = stamps_of(event);
    CHECK(stamps.queued == 99);
    CHECK(stamps.end == 99);
  }
}

TEST_CASE("a wrong clock leaves the driver's errors", "[layer][results]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig(CL_QUEUE_PROFILING_ENABLE);
  const auto buffer = rig.buffer(sizeof(std::uint32_t));
  const std::uint32_t value = 1;
  const auto event = rig.write(rig.queue, buffer, value);
  cl().clFinish(rig.queue);
  const LayerRules rules(std::string("clock ") + GENERATE("reversed", "zero", "tick", "untouched"));
  cl_ulong stamp = 0;

  CHECK(cl().clGetEventProfilingInfo(event, CL_DEVICE_NAME, sizeof(stamp), &stamp, nullptr) == CL_INVALID_VALUE);
}
