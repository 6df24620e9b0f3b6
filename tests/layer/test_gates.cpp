// The rules hold, delay and reorder.
// Needs: a driver with compiler, threads, layers
#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::LayerRules, test::Owned, test::RawRig;

namespace {

/// Enough for a driver to run something that nothing holds: shorter would let a layer pass that holds nothing.
void give_time() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

bool is_complete(cl_event event) { return test::status_of(event) == CL_COMPLETE; }

/// Up to the test's own time limit.
void await(cl_event event) {
  while (!is_complete(event)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Owned<cl_event> marker(cl_command_queue queue) {
  Owned<cl_event> event;
  test::check(cl().clEnqueueMarkerWithWaitList(queue, 0, nullptr, event.out()), "clEnqueueMarkerWithWaitList");
  return event;
}

}  // namespace

TEST_CASE("held commands run once their queue is flushed, and not before", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({1});
  const std::uint32_t two = 2;
  std::uint32_t seen = 0;
  const LayerRules rules("hold until=flush");
  const auto event = rig.write(rig.queue, buffer, two);
  give_time();
  REQUIRE_FALSE(is_complete(event));

  SECTION("clFlush") { cl().clFlush(rig.queue); }
  SECTION("clFinish") { cl().clFinish(rig.queue); }
  SECTION("clWaitForEvents") {
    const cl_event events[] = {event};
    cl().clWaitForEvents(1, events);
  }
  SECTION("a blocking command") {
    cl().clEnqueueReadBuffer(rig.queue, buffer, CL_TRUE, 0, sizeof(seen), &seen, 0, nullptr, nullptr);
    CHECK(seen == 2);
  }

  await(event);
  CHECK(rig.read(buffer) == 2);
}

TEST_CASE("the last release of a queue flushes it", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({1});
  const std::uint32_t two = 2;
  const LayerRules rules("hold until=flush");
  auto other = rig.another_queue();
  const auto event = rig.write(other, buffer, two);

  other.reset();

  await(event);
  CHECK(rig.read(buffer) == 2);
}

TEST_CASE("a flush of another queue lets nothing go", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({1});
  const auto other = rig.another_queue();
  const std::uint32_t two = 2;
  const LayerRules rules("hold until=flush");
  const auto event = rig.write(rig.queue, buffer, two);

  cl().clFinish(other);
  give_time();

  CHECK_FALSE(is_complete(event));
  cl().clFinish(rig.queue);
  CHECK(is_complete(event));
}

TEST_CASE("a marker still waits for all before it", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({1});
  const std::uint32_t two = 2;
  const LayerRules rules("hold until=flush");
  const auto event = rig.write(rig.queue, buffer, two);

  const auto after = marker(rig.queue);
  give_time();

  CHECK_FALSE(is_complete(after));
  cl().clFinish(rig.queue);
  CHECK(is_complete(after));
}

TEST_CASE("commands that come while another thread finishes their queue are not held", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  if (test::info_text(cl().clGetPlatformInfo, CL_PLATFORM_NAME, rig.platform) == "rusticl")
    ANYCL_SKIP("rusticl lets nobody enqueue while a queue is being finished");
  const auto buffer = rig.buffer_of({1});
  const std::uint32_t two = 2, three = 3;
  cl_int code = CL_SUCCESS;
  const Owned start(cl().clCreateUserEvent(rig.context, &code));
  const cl_event waits[] = {start};
  const LayerRules rules("hold until=flush");
  test::check(cl().clEnqueueWriteBuffer(rig.queue, buffer, CL_FALSE, 0, 4, &two, 1, waits, nullptr),
              "clEnqueueWriteBuffer");

  std::thread finishing([&] { cl().clFinish(rig.queue); });
  give_time();
  const auto event = rig.write(rig.queue, buffer, three);
  cl().clSetUserEventStatus(start, CL_COMPLETE);
  finishing.join();  // PoCL waits for the second command, too, which nobody flushes

  cl().clFlush(rig.queue);
  await(event);
  CHECK(rig.read(buffer) == 3);
}

TEST_CASE("the layer's own events are not the application's", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({1});
  const std::uint32_t two = 2;
  const long events = test::layer_report().events;
  const LayerRules rules("hold until=flush; delay ms=1; reorder seed=1");

  const auto event = rig.write(rig.queue, buffer, two);

  CHECK(test::layer_report().events == events + 1);
  cl().clFinish(rig.queue);
}

TEST_CASE("delayed commands run, and later", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({1});
  const std::uint32_t two = 2;
  const LayerRules rules("delay ms=500");
  const auto event = rig.write(rig.queue, buffer, two);

  cl().clFlush(rig.queue);
  give_time();

  CHECK_FALSE(is_complete(event));
  await(event);
  CHECK(rig.read(buffer) == 2);
}

TEST_CASE("by chance some commands are delayed, and all run", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer_of({0});
  std::vector<std::uint32_t> values(50);
  std::iota(values.begin(), values.end(), 1);
  const LayerRules rules("delay ms=1 chance=0.3 seed=5");

  for (const std::uint32_t& value : values) {
    static_cast<void>(rig.write(rig.queue, buffer, value));
    if (value % 7 == 0) cl().clFlush(rig.queue);
  }

  CHECK(rig.read(buffer) == 50);
}

namespace {

/// Kernels that note in which order they ran.
struct OrderOfRuns {
  static constexpr cl_uint kRuns = 8;

  explicit OrderOfRuns(const RawRig& the_rig)
      : rig(the_rig),
        log(rig.buffer_of(std::vector<std::uint32_t>(kRuns + 1, 0))),
        program(rig.program("kernel void note(global uint* log, uint who) { log[1 + log[0]] = who; log[0] += 1; }")),
        kernel(test::make_kernel(program, "note")) {
    const cl_mem argument = log;
    test::check(cl().clSetKernelArg(kernel, 0, sizeof(argument), &argument), "clSetKernelArg");
  }

  Owned<cl_event> run(cl_uint who, std::vector<cl_event> waits) const {
    const std::size_t one = 1;
    Owned<cl_event> event;
    test::check(cl().clSetKernelArg(kernel, 1, sizeof(who), &who), "clSetKernelArg");
    test::check(
        cl().clEnqueueNDRangeKernel(rig.queue, kernel, 1, nullptr, &one, nullptr, static_cast<cl_uint>(waits.size()),
                                    waits.empty() ? nullptr : waits.data(), event.out()),
        "clEnqueueNDRangeKernel");
    return event;
  }

  std::vector<std::uint32_t> order() const {
    cl().clFinish(rig.queue);
    std::vector<std::uint32_t> found(kRuns + 1);
    test::check(
        cl().clEnqueueReadBuffer(rig.queue, log, CL_TRUE, 0, found.size() * 4, found.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    CHECK(found.front() == kRuns);
    found.erase(found.begin());
    return found;
  }

  const RawRig& rig;
  Owned<cl_mem> log;
  Owned<cl_program> program;
  Owned<cl_kernel> kernel;
};

bool has_out_of_order_queues() {
  const cl_device_id device = RawRig().device;
  const auto properties =
      test::info<cl_command_queue_properties>(cl().clGetDeviceInfo, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, device);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

bool is_sorted_from_one(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> sorted(order.size());
  std::iota(sorted.begin(), sorted.end(), 1);
  return order == sorted;
}

}  // namespace

TEST_CASE("commands of an out-of-order queue change places, each once", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  if (!has_out_of_order_queues()) ANYCL_SKIP("Unsupported: out-of-order queues");
  const RawRig rig(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const OrderOfRuns runs(rig);
  const LayerRules rules("reorder seed=3");

  for (cl_uint who = 1; who <= OrderOfRuns::kRuns; ++who) static_cast<void>(runs.run(who, {}));
  auto order = runs.order();

  CHECK_FALSE(is_sorted_from_one(order));
  std::sort(order.begin(), order.end());
  CHECK(is_sorted_from_one(order));
}

TEST_CASE("commands that wait for each other keep their order", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  if (!has_out_of_order_queues()) ANYCL_SKIP("Unsupported: out-of-order queues");
  const RawRig rig(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const OrderOfRuns runs(rig);
  const LayerRules rules("reorder seed=3");

  Owned<cl_event> last;
  for (cl_uint who = 1; who <= OrderOfRuns::kRuns; ++who) {
    std::vector<cl_event> waits;
    if (who > 1) waits.push_back(last);
    last = runs.run(who, waits);
  }

  CHECK(is_sorted_from_one(runs.order()));
}

TEST_CASE("commands of an in-order queue keep their order", "[layer][gates]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const OrderOfRuns runs(rig);
  const LayerRules rules("reorder seed=3; hold until=flush; delay ms=1 chance=0.5 seed=2");

  for (cl_uint who = 1; who <= OrderOfRuns::kRuns; ++who) static_cast<void>(runs.run(who, {}));

  CHECK(is_sorted_from_one(runs.order()));
}
