// Each setting is shown to act. What ends or blocks a process is tried in a child.
// Needs: no driver
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "stub_icd/raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/stub.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;
using test::ChildResult;
using test::cl;
using test::RawRig;
using test::StubFolder;

namespace {

constexpr const char* kSource = "kernel void k() {}";

/// What a process says that lists the platforms of one stub with `settings` and of a healthy one beside it.
ChildResult list_with(const std::string& settings, std::chrono::seconds limit = test::kHangLimit) {
  StubFolder folder;
  folder.add("healthy", "platform-name=healthy").add("odd", settings);
  return test::run_hidden_test("[stub_list_platforms]", folder.variables(), limit);
}

ChildResult build_with(const std::string& settings, std::chrono::seconds limit = test::kHangLimit) {
  StubFolder folder;
  folder.add("odd", settings);
  return test::run_hidden_test("[stub_build]", folder.variables(), limit);
}

std::string device_text(cl_device_id device, cl_device_info what) {
  std::string text(100, '\0');
  cl().clGetDeviceInfo(device, what, text.size(), text.data(), nullptr);
  return text.c_str();
}

cl_ulong duration_of(cl_event event) {
  cl_ulong begin = 0, end = 0;
  cl().clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr);
  cl().clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
  return end - begin;
}

std::vector<unsigned char> binary_of(const RawRig& rig, cl_program program) {
  REQUIRE(rig.build(program) == CL_SUCCESS);
  std::size_t size = 0;
  cl().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  cl().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr);
  return binary;
}

cl_program load(const RawRig& rig, const std::vector<unsigned char>& binary, cl_int& code) {
  const unsigned char* from = binary.data();
  const std::size_t size = binary.size();
  return cl().clCreateProgramWithBinary(rig.context, 1, &rig.device, &size, &from, nullptr, &code);
}

}  // namespace

TEST_CASE("list", "[.][stub_list_platforms]") {
  for (cl_platform_id platform : test::platforms()) std::cout << "platform " << test::platform_name(platform) << "\n";
}

TEST_CASE("build", "[.][stub_build]") {
  const cl_platform_id platform = test::platforms().at(0);
  const cl_device_id device = test::devices_of(platform).at(0);
  cl_context context = cl().clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const char* source = kSource;
  cl_program program = cl().clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  std::cout << "building" << std::endl;
  const cl_int code = cl().clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  std::cout << "built: " << code << std::endl;
}

TEST_CASE("healthy stubs are listed side by side", "[stub_icd][misbehaviour]") {
  const ChildResult result = list_with("platform-name=odd");

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("platform healthy\n") && Contains("platform odd\n"));
}

TEST_CASE("settings come from the environment where no file is beside the library", "[stub_icd][misbehaviour]") {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "drivers" / "stub";

  const ChildResult result = test::run_hidden_test(
      "[stub_list_platforms]", {"OCL_ICD_VENDORS=" + folder.string() + "/", "ANYCL_STUB=platform-name=by variable"});

  CHECK_THAT(result.output, Contains("platform by variable\n"));
}

TEST_CASE("an unknown setting ends the process with one line that names it", "[stub_icd][misbehaviour]") {
  const ChildResult result = list_with("finish=never;velocity=3");

  CHECK(result.exit_code != 0);
  CHECK_THAT(result.output, Contains("anycl stub: unknown setting 'velocity=3'\n"));
}

TEST_CASE("load=abort ends the process when the library is loaded", "[stub_icd][misbehaviour]") {
  const ChildResult result = list_with("load=abort");

  CHECK(result.signal == SIGABRT);
  CHECK_THAT(result.output, Contains("anycl stub: load=abort\n"));
}

TEST_CASE("load=fail leaves the stub out and the others in", "[stub_icd][misbehaviour]") {
  const ChildResult result = list_with("load=fail");

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("platform healthy\n") && !Contains("platform Stub"));
}

TEST_CASE("load=sleep and platforms=sleep block the list of platforms", "[stub_icd][misbehaviour]") {
  const auto what = GENERATE(as<std::string>{}, "load", "platforms");

  CHECK(list_with(what + "=sleep:600", std::chrono::seconds(2)).timed_out);
  const ChildResult brief = list_with(what + "=sleep:0.01");
  CHECK(brief.exit_code == 0);
  CHECK_THAT(brief.output, Contains("platform healthy\n") && Contains("platform Stub (anycl)\n"));
}

TEST_CASE("platforms=abort ends the process at the query", "[stub_icd][misbehaviour]") {
  const ChildResult result = list_with("platforms=abort");

  CHECK(result.exit_code != 0);
  CHECK_THAT(result.output, Contains("anycl stub: platforms=abort\n"));
}

TEST_CASE("a stub without platforms, or with an error for them, leaves the others in", "[stub_icd][misbehaviour]") {
  const auto settings = GENERATE(as<std::string>{}, "platforms=none", "platforms=error:-30");

  const ChildResult result = list_with(settings);

  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("platform healthy\n") && !Contains("platform Stub"));
}

TEST_CASE("a real driver stands beside stubs", "[stub_icd][misbehaviour]") {
  StubFolder folder;
  folder.add("odd", "platform-name=odd");
  if (!folder.add_driver("pocl")) ANYCL_SKIP("driver pocl is not on this machine");

  const ChildResult result = test::run_hidden_test("[stub_list_platforms]", folder.variables());

  CHECK_THAT(result.output, Contains("platform odd\n") && Contains("platform Portable Computing Language\n"));
}

TEST_CASE("the Khronos loader sees stubs too", "[stub_icd][misbehaviour]") {
  const auto build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
  const auto loaders = build / "venvs" / "intel" / "lib";
  if (!std::filesystem::exists(loaders / "libOpenCL.so.1")) ANYCL_SKIP("no Khronos loader in " + loaders.string());
  StubFolder folder;
  folder.add("odd", "platform-name=odd").add("even", "platform-name=even");
  auto variables = folder.variables();
  variables.push_back("LD_LIBRARY_PATH=" + loaders.string());

  const ChildResult result = test::run_hidden_test("[stub_list_platforms]", variables);

  CHECK_THAT(result.output, Contains("platform odd\n") && Contains("platform even\n"));
}

TEST_CASE("build=crash ends the process in the build", "[stub_icd][misbehaviour]") {
  const ChildResult result = build_with("build=crash");

  CHECK(result.exit_code != 0);
  CHECK_THAT(result.output, Contains("building\n") && !Contains("built: "));
}

TEST_CASE("build=never does not come back", "[stub_icd][misbehaviour]") {
  const ChildResult result = build_with("build=never", std::chrono::seconds(2));

  CHECK(result.timed_out);
  CHECK_THAT(result.output, Contains("building\n") && !Contains("built: "));
}

TEST_CASE("build=never leaves a build that tells its end in progress", "[stub_icd][misbehaviour]") {
  RawRig rig("build-never");
  cl_program program = rig.program(kSource);
  static std::atomic<bool> told{false};

  REQUIRE(cl().clBuildProgram(
              program, 0, nullptr, "", [](cl_program, void*) { told = true; }, nullptr) == CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));

  cl_build_status status = CL_BUILD_NONE;
  cl().clGetProgramBuildInfo(program, rig.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
  CHECK(status == CL_BUILD_IN_PROGRESS);
  CHECK_FALSE(told);
}

TEST_CASE("build=slow takes its time and succeeds", "[stub_icd][misbehaviour]") {
  RawRig rig("build-slow");
  cl_program program = rig.program(kSource);

  const auto begin = std::chrono::steady_clock::now();
  CHECK(rig.build(program) == CL_SUCCESS);

  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(200));  // a sleep is never shorter
}

TEST_CASE("build=fail fails every build, and the log says so", "[stub_icd][misbehaviour]") {
  RawRig rig("build-fail");
  cl_program program = rig.program(kSource);

  CHECK(rig.build(program) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(rig.build(program) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(rig.build_log(program) == "error: build=fail\n");
}

TEST_CASE("build=fail-first fails as many builds as asked", "[stub_icd][misbehaviour]") {
  RawRig rig("build-fail-first");
  cl_program program = rig.program(kSource);

  CHECK(rig.build(program) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(rig.build(program) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(rig.build(program) == CL_SUCCESS);
}

TEST_CASE("kernel-ns is what each kernel takes, at least", "[stub_icd][misbehaviour]") {
  RawRig rig("kernel-ns");
  cl_event event = nullptr;
  REQUIRE(rig.enqueue(rig.kernel(kSource, "k"), 1, &event) == CL_SUCCESS);
  REQUIRE(cl().clWaitForEvents(1, &event) == CL_SUCCESS);

  CHECK(duration_of(event) >= 20'000'000);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("exec=fail fails that one kernel command", "[stub_icd][misbehaviour]") {
  RawRig rig("exec-fail");
  cl_kernel kernel = rig.kernel(kSource, "k");
  std::vector<cl_event> events(4);
  for (cl_event& event : events) REQUIRE(rig.enqueue(kernel, 1, &event) == CL_SUCCESS);

  CHECK(cl().clFinish(rig.queue) == CL_SUCCESS);

  std::vector<cl_int> codes;
  for (cl_event event : events) {
    codes.push_back(RawRig::status_of(event));
    CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
  }
  CHECK(codes == std::vector<cl_int>{CL_COMPLETE, CL_COMPLETE, CL_OUT_OF_RESOURCES, CL_COMPLETE});
}

TEST_CASE("finish=never leaves commands in their queue", "[stub_icd][misbehaviour]") {
  RawRig rig("finish-never");
  cl_event event = nullptr;
  REQUIRE(rig.enqueue(rig.kernel(kSource, "k"), 1, &event) == CL_SUCCESS);

  std::this_thread::sleep_for(std::chrono::milliseconds(50));

  CHECK(RawRig::status_of(event) == CL_QUEUED);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("memory is what all buffers together may take", "[stub_icd][misbehaviour]") {
  RawRig rig("memory");
  cl_int code = 0;
  const auto create = [&](std::size_t size) {
    return cl().clCreateBuffer(rig.context, CL_MEM_READ_WRITE, size, nullptr, &code);
  };

  cl_mem half = create(512 << 10);
  cl_mem rest = create(512 << 10);
  CHECK(code == CL_SUCCESS);
  CHECK(create(1) == nullptr);
  CHECK(code == CL_MEM_OBJECT_ALLOCATION_FAILURE);
  CHECK(cl().clReleaseMemObject(half) == CL_SUCCESS);
  half = create(512 << 10);
  CHECK(code == CL_SUCCESS);

  for (cl_mem memory : {half, rest}) CHECK(cl().clReleaseMemObject(memory) == CL_SUCCESS);
}

TEST_CASE("binaries are refused early or late", "[stub_icd][misbehaviour]") {
  cl_int code = 0;
  {
    RawRig rig("binary-refuse");
    const auto binary = binary_of(rig, rig.program(kSource));
    CHECK(load(rig, binary, code) == nullptr);
    CHECK(code == CL_INVALID_BINARY);
  }
  RawRig rig("binary-late-refuse");
  const auto binary = binary_of(rig, rig.program(kSource));
  cl_program program = load(rig, binary, code);
  CHECK(code == CL_SUCCESS);
  CHECK(rig.build(program) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(cl().clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("a modelled link makes transfers take what their bytes need", "[stub_icd][misbehaviour]") {
  RawRig rig("link");  // 12 GB/s
  constexpr std::size_t size = 12 << 20;
  const std::vector<std::byte> host(size);
  cl_event event = nullptr;
  REQUIRE(cl().clEnqueueWriteBuffer(rig.queue, rig.buffer(size), CL_TRUE, 0, size, host.data(), 0, nullptr, &event) ==
          CL_SUCCESS);

  CHECK(duration_of(event) >= 1'000'000);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("names and versions are what the settings say", "[stub_icd][misbehaviour]") {
  const cl_device_id device = test::devices_of(test::platform_named("named")).at(0);

  CHECK(device_text(device, CL_DEVICE_NAME) == "odd one");
  CHECK(device_text(device, CL_DRIVER_VERSION) == "7.8.9");
}

TEST_CASE("devices=none gives a platform without devices", "[stub_icd][misbehaviour]") {
  const cl_platform_id platform = test::platform_named("no-devices");
  cl_uint count = 7;

  CHECK(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_DEVICE_NOT_FOUND);
  CHECK(count == 0);
}
