// The rule split.
// Needs: a driver with compiler, threads, layers
#include <vector>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::LayerRules, test::RawRig;

namespace {

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  test::check(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
  std::vector<cl_device_id> devices(count);
  test::check(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
  return devices;
}

bool can_be_split(cl_device_id device) {
  std::size_t size = 0;
  cl().clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, 0, nullptr, &size);
  std::vector<cl_device_partition_property> ways(size / sizeof(cl_device_partition_property));
  cl().clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, size, ways.data(), nullptr);
  return !ways.empty() && ways.front() != 0 &&
         test::info<cl_uint>(cl().clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, device) >= 2;
}

cl_uint units_of(cl_device_id device) {
  return test::info<cl_uint>(cl().clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, device);
}

}  // namespace

TEST_CASE("a device that can be split is answered as its two halves", "[layer][split]") {
  REQUIRE(test::layer_is_up());
  const RawRig whole;
  const auto before = devices_of(whole.platform);
  const LayerRules rules("split devices=2");

  const auto after = devices_of(whole.platform);

  if (!can_be_split(whole.device)) {
    CHECK(after == before);
    return;
  }
  REQUIRE(after.size() == 2 * before.size());
  CHECK(devices_of(whole.platform) == after);  // made once and kept
  cl_uint units = 0;
  for (const cl_device_id part : after) {
    CHECK(test::info<cl_device_id>(cl().clGetDeviceInfo, CL_DEVICE_PARENT_DEVICE, part) == whole.device);
    units += units_of(part);
  }
  CHECK(units == units_of(whole.device));
}

TEST_CASE("the list of halves keeps to the protocol of sizes", "[layer][split]") {
  REQUIRE(test::layer_is_up());
  const RawRig whole;
  const LayerRules rules("split devices=2");
  cl_device_id devices[2] = {nullptr, nullptr};
  cl_uint count = 0;

  CHECK(cl().clGetDeviceIDs(whole.platform, CL_DEVICE_TYPE_ALL, 1, devices, &count) == CL_SUCCESS);
  CHECK(devices[0] != nullptr);
  CHECK(devices[1] == nullptr);
  CHECK(count == devices_of(whole.platform).size());
  CHECK(cl().clGetDeviceIDs(whole.platform, CL_DEVICE_TYPE_ALL, 0, devices, nullptr) == CL_INVALID_VALUE);
  CHECK(cl().clGetDeviceIDs(whole.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("work runs on a half, and nothing of it remains", "[layer][split]") {
  REQUIRE(test::layer_is_up());
  const long live = test::layer_report().live();
  const LayerRules rules("split devices=2");
  {
    const RawRig half;
    const auto program = half.program("kernel void add(global uint* x) { x[0] += 3; }");
    const auto kernel = test::make_kernel(program, "add");
    const auto buffer = half.buffer_of({4});
    const cl_mem argument = buffer;
    const std::size_t one = 1;
    test::check(cl().clSetKernelArg(kernel, 0, sizeof(argument), &argument), "clSetKernelArg");
    test::check(cl().clEnqueueNDRangeKernel(half.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
                "clEnqueueNDRangeKernel");
    CHECK(half.read(buffer) == 7);
  }
  CHECK(test::layer_report().live() == live);
}
