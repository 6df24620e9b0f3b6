// The rules fail and lost.
// Needs: a driver with compiler, threads, layers
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::LayerRules, test::RawRig;

namespace {

template <class Value>
bool is_poisoned(const Value& value) {
  std::array<unsigned char, sizeof(Value)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(Value));
  return std::all_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte == 0xCC; });
}

/// An innocent call. Returns its code.
cl_int flush(const RawRig& rig) { return cl().clFlush(rig.queue); }

std::vector<cl_int> flushes(const RawRig& rig, int times) {
  std::vector<cl_int> codes;
  for (int i = 0; i < times; ++i) codes.push_back(flush(rig));
  return codes;
}

}  // namespace

TEST_CASE("the layer counts calls and hands them on", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto before = test::layer_report();

  const auto codes = flushes(rig, 3);

  CHECK(codes == std::vector<cl_int>{0, 0, 0});
  const auto after = test::layer_report();
  CHECK(after.calls - before.calls == 3);
  CHECK(after.failed == before.failed);
}

TEST_CASE("the n-th call fails with the code that the rule gives", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto failed_before = test::layer_report().failed;
  const LayerRules rules("fail clFlush at=2 count=2 code=-9999; fail clFlush at=5 code=-5");

  const auto codes = flushes(rig, 6);

  CHECK(codes == std::vector<cl_int>{0, -9999, -9999, 0, -5, 0});
  CHECK(test::layer_report().failed - failed_before == 3);
}

TEST_CASE("a glob counts all calls that match", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("fail clFl* every=2 code=-5; fail clFinish code=-6");

  CHECK(flush(rig) == CL_SUCCESS);
  CHECK(cl().clFinish(rig.queue) == -6);
  CHECK(flush(rig) == -5);
}

TEST_CASE("every call of the application counts for the star, and none of the layer's own", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("fail * at=4 code=-36; answer CL_DEVICE_NAME trailing-nuls=2 device=*; hold until=flush");
  std::string name(4096, '\0');

  const cl_int first = cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, name.size(), name.data(), nullptr);
  const cl_int second = cl().clEnqueueMarkerWithWaitList(rig.queue, 0, nullptr, nullptr);

  CHECK(std::vector<cl_int>{first, second, flush(rig), flush(rig), flush(rig)} == std::vector<cl_int>{0, 0, 0, -36, 0});
}

TEST_CASE("a call that fails never reaches the driver", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto references = [&] {
    return test::info<cl_uint>(cl().clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT, cl_context(rig.context));
  };
  const cl_uint before = references();
  const LayerRules rules("fail clRetainContext code=-5");

  CHECK(cl().clRetainContext(rig.context) == -5);

  CHECK(references() == before);
}

TEST_CASE("a call that makes an object fails with null and its code", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("fail clCreateBuffer at=2 code=-4; fail clEnqueueMapBuffer code=-12");
  cl_int code = 7;

  const auto buffer = rig.buffer(sizeof(cl_uint));
  CHECK(cl().clCreateBuffer(rig.context, 0, 4, nullptr, &code) == nullptr);
  CHECK(code == -4);
  cl_event event = nullptr;
  CHECK(cl().clEnqueueMapBuffer(rig.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, &event, &code) == nullptr);
  CHECK(code == -12);
  CHECK(is_poisoned(event));
}

TEST_CASE("results of a call that fails are poisoned, and nothing beyond them", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer(sizeof(cl_uint));
  const LayerRules rules("fail * code=-6");

  SECTION("an answer") {
    std::array<char, 8> name{"1234567"};
    std::size_t size = 3;
    CHECK(cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, 4, name.data(), &size) == -6);
    CHECK(std::string(name.data(), 5) ==
          "\xCC\xCC\xCC\xCC"
          "5");
    CHECK(is_poisoned(size));
    CHECK(cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, 0, nullptr, nullptr) == -6);
  }
  SECTION("a list and its size") {
    std::array<cl_device_id, 3> devices{};
    cl_uint count = 3;
    CHECK(cl().clGetDeviceIDs(rig.platform, CL_DEVICE_TYPE_ALL, 2, devices.data(), &count) == -6);
    CHECK(is_poisoned(devices[0]));
    CHECK(is_poisoned(devices[1]));
    CHECK(devices[2] == nullptr);
    CHECK(is_poisoned(count));
  }
  SECTION("an event, but not the memory of a read") {
    cl_uint host = 5;
    cl_event event = nullptr;
    CHECK(cl().clEnqueueReadBuffer(rig.queue, buffer, CL_TRUE, 0, 4, &host, 0, nullptr, &event) == -6);
    CHECK(is_poisoned(event));
    CHECK(host == 5);
  }
  SECTION("the state of binaries") {
    const unsigned char byte = 0;
    const unsigned char* binary = &byte;
    const std::size_t size = 1;
    cl_int status = 0, code = 0;
    CHECK(cl().clCreateProgramWithBinary(rig.context, 1, &rig.device, &size, &binary, &status, &code) == nullptr);
    CHECK(is_poisoned(status));
    CHECK(code == -6);
  }
}

TEST_CASE("a release that fails releases all the same", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  auto buffer = rig.buffer(sizeof(cl_uint));
  const long buffers = test::layer_report().buffers;
  const LayerRules rules("fail clReleaseMemObject code=-6");

  CHECK(cl().clReleaseMemObject(buffer.leak()) == -6);

  CHECK(test::layer_report().buffers == buffers - 1);
}

TEST_CASE("a failure of one query leaves the others", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("fail clGetDeviceInfo:CL_DEVICE_NAME at=2 code=-30");
  std::size_t size = 0;
  const auto size_of = [&](cl_uint param) { return cl().clGetDeviceInfo(rig.device, param, 0, nullptr, &size); };

  CHECK(size_of(CL_DEVICE_NAME) == CL_SUCCESS);
  CHECK(size_of(CL_DEVICE_VENDOR) == CL_SUCCESS);
  CHECK(size_of(CL_DEVICE_NAME) == -30);
  CHECK(size_of(CL_DEVICE_VENDOR) == CL_SUCCESS);
}

TEST_CASE("a seed makes the same calls fail again", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto codes_of_seed = [&](const std::string& seed) {
    const LayerRules rules("fail clFlush chance=0.5 code=-5 seed=" + seed);
    return flushes(rig, 64);
  };

  const auto first = codes_of_seed("1");

  CHECK(codes_of_seed("1") == first);
  CHECK(codes_of_seed("2") != first);
}

TEST_CASE("a lost device answers every call with its code", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("lost after=2 code=-36 until=4");

  CHECK(flushes(rig, 6) == std::vector<cl_int>{0, 0, -36, -36, 0, 0});
}

TEST_CASE("a lost device has ended its work", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer(64);
  const std::uint32_t value = 1;
  auto queue = rig.another_queue();
  const LayerRules late_work("delay ms=20");
  const auto event = rig.write(queue, buffer, value);

  {
    const LayerRules rules("lost after=0 code=-5");
    queue.reset();
  }

  CHECK(test::status_of(event) == CL_COMPLETE);
}

TEST_CASE("rules end with their scope, and those around them start anew", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules outer("fail clFlush at=2 code=-5");
  {
    const LayerRules inner("fail clFlush code=-6");
    CHECK(flushes(rig, 2) == std::vector<cl_int>{-6, -6});
  }
  CHECK(flushes(rig, 3) == std::vector<cl_int>{0, -5, 0});
}

TEST_CASE("wrong rules at run time leave those in force", "[layer][failures]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("fail clFlush code=-5");

  CHECK_THROWS_WITH(LayerRules("fail clFlush"), Catch::Contains("needs code="));

  CHECK(flush(rig) == -5);
}

TEST_CASE("child: it should never get here", "[.][child_any]") {
  CHECK(test::layer_is_up());
  const RawRig rig;
  CHECK(flush(rig) == CL_SUCCESS);
}

TEST_CASE("wrong rules in the environment end the process with one line", "[layer][failures]") {
  const auto result = test::run_hidden_test("[child_any]", test::under_layer("late; fail clFlush code=abc"));

  CHECK(result.exit_code == 86);
  CAPTURE(result.output);
  CHECK(result.output.starts_with(
      "anycl test layer: ANYCL_TEST_LAYER: rule 2 'fail clFlush code=abc', column 25: 'abc' is not a number that fits "
      "here\n"));
}

TEST_CASE("children of a process under the layer are under it, unless told otherwise", "[layer][failures]") {
  REQUIRE(test::layer_is_up());

  CHECK(test::run_hidden_test("[child_any]").exit_code == 0);
  CHECK(test::run_hidden_test("[child_any]", {"ANYCL_TEST_LAYER=fail clFlush code=-5"}).exit_code != 0);
  CHECK(test::run_hidden_test("[child_any]", {"OPENCL_LAYERS"}).exit_code != 0);
}
