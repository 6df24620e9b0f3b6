// Needs: a driver
#include "anycl/interop/opencl.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/raw.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

struct ReleaseMemory {
  void operator()(cl_mem memory) const { CHECK(RAW(clReleaseMemObject)(memory) == CL_SUCCESS); }
};
using RawBuffer = std::unique_ptr<std::remove_pointer_t<cl_mem>, ReleaseMemory>;

}  // namespace

TEST_CASE("native platform and device are those that anycl describes", "[interop][opencl]") {
  test::for_each_device([](test::Rig& rig) {
    std::array<char, 512> name{};
    cl_platform_id platform = nullptr;

    const cl_device_id device = interop::native_device(rig.device);

    REQUIRE(RAW(clGetDeviceInfo)(device, CL_DEVICE_NAME, name.size(), name.data(), nullptr) == CL_SUCCESS);
    CHECK(std::string(name.data()).find(rig.device.name()) != std::string::npos);
    REQUIRE(RAW(clGetDeviceInfo)(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) == CL_SUCCESS);
    CHECK(platform == interop::native_platform(rig.device));
  });
}

TEST_CASE("the native context holds the device and stays the same", "[interop][opencl]") {
  test::for_each_device([](test::Rig& rig) {
    const cl_context context = interop::native_context(rig.context, rig.device);

    std::array<cl_device_id, 16> devices{};
    size_t bytes = 0;
    REQUIRE(RAW(clGetContextInfo)(context, CL_CONTEXT_DEVICES, sizeof devices, devices.data(), &bytes) == CL_SUCCESS);
    const auto* end = devices.data() + bytes / sizeof(cl_device_id);
    const cl_device_id device = interop::native_device(rig.device);
    cl_device_id parent = nullptr;
    RAW(clGetDeviceInfo)(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, nullptr);
    const cl_device_id here[] = {device, parent};  // PoCL answers the whole device where a context has a part of it
    CHECK(std::find_first_of<const cl_device_id*>(devices.data(), end, std::begin(here), std::end(here)) != end);
    CHECK(interop::native_context(rig.context, rig.device) == context);
  });
}

TEST_CASE("a device of another context has no native context here", "[interop][opencl]") {
  const auto devices = test::shared_context().devices();
  if (devices.size() < 2) ANYCL_SKIP("needs two devices");
  Context context{devices.first(1)};

  CHECK_THROWS_AS(interop::native_context(context, devices[1]), InvalidArgument);
}

TEST_CASE("raw work on a native queue runs in order with anycl's own", "[interop][opencl]") {
  test::for_each_device([](test::Rig& rig) {
    const cl_context context = interop::native_context(rig.context, rig.device);
    const cl_command_queue queue = interop::native_queue(rig.queue);
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(16, 1));
    cl_int code = CL_SUCCESS;
    const RawBuffer memory(RAW(clCreateBuffer)(context, CL_MEM_READ_WRITE, 64, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    const Uints written(16, 42);
    Uints got(16);

    launch_advance(rig.queue, work, buffer, 3, 1);
    CHECK(RAW(clEnqueueWriteBuffer)(queue, memory.get(), CL_TRUE, 0, 64, written.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    launch_advance(rig.queue, work, buffer, 3, 1);
    CHECK(RAW(clEnqueueReadBuffer)(queue, memory.get(), CL_TRUE, 0, 64, got.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(RAW(clFinish)(queue) == CL_SUCCESS);

    CHECK(got == written);
    CHECK(to_host(buffer) == Uints(16, 13));
  });
}

TEST_CASE("a native event can be waited for and queried", "[interop][opencl]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Work work(rig.context);
    Buffer<std::uint32_t> buffer(rig.context, Uints(16, 1));

    const Event event = launch_advance(rig.queue, work, buffer, 3, 1);
    const cl_event native = interop::native_event(event);

    REQUIRE(native != nullptr);
    CHECK(RAW(clWaitForEvents)(1, &native) == CL_SUCCESS);
    cl_int status = CL_QUEUED;
    CHECK(RAW(clGetEventInfo)(native, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
          CL_SUCCESS);
    CHECK(status == CL_COMPLETE);
    CHECK(event.status() == EventStatus::complete);
  });
}

TEST_CASE("an event without work has no native event", "[interop][opencl]") {
  CHECK(interop::native_event(Event()) == nullptr);
}
