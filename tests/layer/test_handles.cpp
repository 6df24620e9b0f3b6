// The rule handles. Verdicts fall at the end of a process: each child is a hidden test of this program.
// Needs: a driver with compiler, threads, layers
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::RawRig;

namespace {

const char* const kSource =
    "kernel void one(global uint* x) { x[0] = 1; } kernel void two(global uint* x) { x[0] = 2; }";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("live handles are counted by type", "[layer][handles]") {
  REQUIRE(test::layer_is_up());
  const auto before = test::layer_report();
  {
    const RawRig rig;
    const auto program = rig.program(kSource);
    const auto kernel = test::make_kernel(program, "one");
    const auto first = rig.buffer(64), second = rig.buffer(64);
    const std::uint32_t value = 1;
    const auto event = rig.write(rig.queue, first, value);
    cl().clFinish(rig.queue);
    const auto now = test::layer_report();
    CHECK(now.contexts == before.contexts + 1);
    CHECK(now.queues == before.queues + 1);
    CHECK(now.programs == before.programs + 1);
    CHECK(now.kernels == before.kernels + 1);
    CHECK(now.buffers == before.buffers + 2);
    CHECK(now.events == before.events + 1);
    CHECK(now.live() == before.live() + 7);
  }
  CHECK(test::layer_report().live() == before.live());
}

TEST_CASE("every reference counts", "[layer][handles]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const long before = test::layer_report().buffers;
  const cl_mem buffer = rig.buffer(64).leak();

  cl().clRetainMemObject(buffer);
  cl().clReleaseMemObject(buffer);
  CHECK(test::layer_report().buffers == before + 1);
  cl().clReleaseMemObject(buffer);
  CHECK(test::layer_report().buffers == before);
}

TEST_CASE("kernels that are made all at once are counted", "[layer][handles]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto program = rig.program(kSource);
  const long before = test::layer_report().kernels;
  cl_kernel kernels[3] = {nullptr, nullptr, nullptr};
  cl_uint count = 0;

  cl_uint* place = GENERATE(true, false) ? &count : nullptr;
  test::check(cl().clCreateKernelsInProgram(program, 3, kernels, place), "clCreateKernelsInProgram");

  CHECK(test::layer_report().kernels == before + 2);
  for (const cl_kernel kernel : kernels)
    if (kernel != nullptr) cl().clReleaseKernel(kernel);
  CHECK(test::layer_report().kernels == before);
}

TEST_CASE("sub-devices are counted, whole devices are not", "[layer][handles]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const long before = test::layer_report().sub_devices;
  cl().clRetainDevice(rig.device);
  CHECK(test::layer_report().sub_devices == before);
  cl().clReleaseDevice(rig.device);

  const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  std::array<cl_device_partition_property, 8> ways{};
  cl().clGetDeviceInfo(rig.device, CL_DEVICE_PARTITION_PROPERTIES, sizeof ways, ways.data(), nullptr);
  if (std::find(ways.begin(), ways.end(), by_counts[0]) == ways.end()) return;  // there may be no such function, too
  cl_device_id parts[2] = {nullptr, nullptr};
  test::check(cl().clCreateSubDevices(rig.device, by_counts, 2, parts, nullptr), "clCreateSubDevices");

  CHECK(parts[1] == nullptr);
  CHECK(test::layer_report().sub_devices == before + 1);
  cl().clRetainDevice(parts[0]);
  cl().clReleaseDevice(parts[0]);
  CHECK(test::layer_report().sub_devices == before + 1);
  cl().clReleaseDevice(parts[0]);
  CHECK(test::layer_report().sub_devices == before);
}

TEST_CASE("child: nothing is left", "[.][child_tidy]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  CHECK(rig.read(rig.buffer_of({5})) == 5);
}

TEST_CASE("child: one of each is left", "[.][child_leaks]") {
  REQUIRE(test::layer_is_up());
  auto& rig = *new RawRig;
  const cl_program program = rig.program(kSource).leak();
  static_cast<void>(test::make_kernel(program, "one").leak());
  const cl_mem buffer = rig.buffer(64).leak();
  cl().clRetainMemObject(buffer);
  static_cast<void>(rig.buffer(64).leak());
  const std::uint32_t value = 1;
  static_cast<void>(rig.write(rig.queue, buffer, value).leak());
  cl().clFinish(rig.queue);
}

TEST_CASE("child: a context is left", "[.][child_leaks_context]") {
  REQUIRE(test::layer_is_up());
  RawRig rig;
  static_cast<void>(rig.context.leak());
}

TEST_CASE("child: a release too many", "[.][child_double_release]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  auto buffer = rig.buffer(64);
  const cl_mem handle = buffer;
  buffer.reset();
  CHECK(cl().clReleaseMemObject(handle) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("child: a forked child exits while the parent has handles", "[.][child_forks]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const pid_t child = ::fork();
  if (child == 0) std::exit(0);  // NOLINT(concurrency-mt-unsafe)
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a tidy process ends well under the rule", "[layer][handles]") {
  const auto result = test::run_hidden_test("[child_tidy]", test::under_layer("handles; late"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a process that leaves handles ends with 86 and a line for each type", "[layer][handles]") {
  const auto result = test::run_hidden_test("[child_leaks]", test::under_layer("handles"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 86);
  for (const char* line :
       {"left at exit: 1 contexts", "left at exit: 1 queues", "left at exit: 1 programs", "left at exit: 1 kernels",
        "left at exit: 1 events", "left at exit: 2 buffers (3 references), the first from call "})
    CHECK(contains(result.output, line));
  CHECK(contains(result.output, ", clCreateBuffer\n"));
}

TEST_CASE("without the rule there is no verdict", "[layer][handles]") {
  CHECK(test::run_hidden_test("[child_leaks_context]", test::under_layer("")).exit_code == 0);
}

TEST_CASE("handles that are left on purpose can be allowed", "[layer][handles]") {
  CHECK(test::run_hidden_test("[child_leaks_context]", test::under_layer("handles")).exit_code == 86);
  CHECK(test::run_hidden_test("[child_leaks_context]", test::under_layer("handles allow=contexts")).exit_code == 0);
  CHECK(test::run_hidden_test("[child_leaks_context]", test::under_layer("handles allow=events")).exit_code == 86);
}

TEST_CASE("a release too many is reported at once, and kept from the driver", "[layer][handles]") {
  const auto result = test::run_hidden_test("[child_double_release]", test::under_layer("handles"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 86);
  CHECK(contains(result.output, "clReleaseMemObject of a handle whose references are gone"));
}

TEST_CASE("a forked child is not accused of its parent's handles", "[layer][handles]") {
  if (test::info_text(cl().clGetPlatformInfo, CL_PLATFORM_NAME, RawRig().platform) == "rusticl")
    ANYCL_SKIP("rusticl's own end hangs in a forked child");
  const auto result = test::run_hidden_test("[child_forks]", test::under_layer("handles"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 0);
}
