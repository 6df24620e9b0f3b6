// What the quirk table says of the drivers at hand, tried on them. A test here that fails tells that a driver got better or
// worse: then its line in lib/device/quirks.cpp needs a version, or goes.
// Needs: a driver with compiler, threads, layers
#include <CL/cl.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "device/device_record.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/raw.hpp"
#include "support/spirv_words.hpp"
#include "support/work.hpp"

using namespace anycl;

namespace {

const detail::DriverFaults& faults_of(const Device& device) { return device.record().faults; }

constexpr const char* kLoopSource = R"(
kernel void loop(global uint* x, uint rounds) {
    uint value = 1;
    for (uint round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
    x[0] = value;
}
)";

std::uint32_t loop_on_host(std::uint32_t rounds) {
  std::uint32_t value = 1;
  for (std::uint32_t round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  return value;
}

std::uint32_t loop_on_device(test::Rig& rig, std::uint32_t rounds) {
  Buffer<std::uint32_t> x(rig.context, 1);
  launch(rig.queue, Kernel(rig.context, kLoopSource, "loop"), 1, x, rounds);
  return to_host(x).front();
}

cl_ulong stamp(const Event& event, cl_profiling_info which) {
  cl_ulong ns = 0;
  REQUIRE(RAW(clGetEventProfilingInfo)(interop::native_event(event), which, sizeof ns, &ns, nullptr) == CL_SUCCESS);
  return ns;
}

/// A program of several kernels, built without anycl.
cl_program raw_program(test::Rig& rig) {
  const char* source =
      "kernel void one(global int* x) { x[get_global_id(0)] += 1; }\n"
      "kernel void two(global int* x) { x[get_global_id(0)] += 2; }\n";
  cl_int code = CL_SUCCESS;
  cl_program program =
      RAW(clCreateProgramWithSource)(interop::native_context(rig.context, rig.device), 1, &source, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  const cl_device_id device = interop::native_device(rig.device);
  REQUIRE(RAW(clBuildProgram)(program, 1, &device, "-cl-kernel-arg-info", nullptr, nullptr) == CL_SUCCESS);
  return program;
}

/// Of a program that was built for one device of a context with several.
std::vector<unsigned char> binary_of(cl_program program, const Device& device) {
  cl_uint count = 0;
  REQUIRE(RAW(clGetProgramInfo)(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr) == CL_SUCCESS);
  std::vector<cl_device_id> devices(count);
  std::vector<size_t> sizes(count);
  const auto ask = [&](cl_program_info what, auto& values) {
    const size_t bytes = values.size() * sizeof values.front();
    REQUIRE(RAW(clGetProgramInfo)(program, what, bytes, values.data(), nullptr) == CL_SUCCESS);
  };
  ask(CL_PROGRAM_DEVICES, devices);
  ask(CL_PROGRAM_BINARY_SIZES, sizes);
  std::vector<std::vector<unsigned char>> binaries;
  for (const size_t size : sizes) binaries.emplace_back(size);
  std::vector<unsigned char*> places;
  for (auto& binary : binaries) places.push_back(binary.data());
  ask(CL_PROGRAM_BINARIES, places);
  const auto at = std::find(devices.begin(), devices.end(), interop::native_device(device)) - devices.begin();
  return binaries.at(static_cast<std::size_t>(at));
}

cl_program program_from(const std::vector<unsigned char>& binary, test::Rig& rig) {
  const cl_device_id device = interop::native_device(rig.device);
  const unsigned char* bytes = binary.data();
  const size_t size = binary.size();
  cl_int code = CL_SUCCESS;
  cl_program program = RAW(clCreateProgramWithBinary)(interop::native_context(rig.context, rig.device), 1, &device,
                                                      &size, &bytes, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(RAW(clBuildProgram)(program, 1, &device, "-cl-kernel-arg-info", nullptr, nullptr) == CL_SUCCESS);
  return program;
}

bool knows_arguments(cl_program program) {
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = RAW(clCreateKernel)(program, "one", &code);
  REQUIRE(code == CL_SUCCESS);
  char name[16] = {};
  code = RAW(clGetKernelArgInfo)(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr);
  RAW(clReleaseKernel)(kernel);
  return code == CL_SUCCESS && std::string(name) == "x";
}

std::size_t libraries_in(const std::filesystem::path& folder) {
  const std::filesystem::recursive_directory_iterator files(folder);
  return static_cast<std::size_t>(
      std::count_if(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".so"; }));
}

}  // namespace

TEST_CASE("long loops end where the table says, and nowhere else", "[program][driver_faults]") {
  constexpr std::uint32_t kLong = 300000;
  test::for_each_device([](test::Rig& rig) {
    CAPTURE(rig.device.name());
    const auto limit = faults_of(rig.device).max_loop_iterations;

    CHECK((loop_on_device(rig, kLong) == loop_on_host(kLong)) == !limit);
    if (!limit) return;
    const auto most = static_cast<std::uint32_t>(*limit);
    CHECK(loop_on_device(rig, most) == loop_on_host(most));
    CHECK(loop_on_device(rig, most + 1) != loop_on_host(most + 1));
  });
}

TEST_CASE("time stamps are nonsense where the table says, and nowhere else", "[program][driver_faults]") {
  test::for_each_device([](test::Rig& rig) {
    CAPTURE(rig.device.name());
    Queue queue(rig.context, rig.device, {.profiling = true});
    const test::Work work(rig.context);
    Buffer<std::uint32_t> x(rig.context, std::vector<std::uint32_t>(test::kSlowSize));

    const Event event = launch_slow(queue, work, x);
    event.wait();

    // Some hundred million steps of arithmetic are not done in a microsecond.
    const bool nonsense = stamp(event, CL_PROFILING_COMMAND_END) < stamp(event, CL_PROFILING_COMMAND_START) + 1000;
    CHECK(nonsense == faults_of(rig.device).timestamps_untrusted);
  });
}

TEST_CASE("programs from binaries lose arguments where the table says, and nowhere else", "[program][driver_faults]") {
  test::for_each_device([](test::Rig& rig) {
    CAPTURE(rig.device.name());
    cl_program original = raw_program(rig);
    REQUIRE(knows_arguments(original));
    cl_program copy = program_from(binary_of(original, rig.device), rig);

    CHECK(knows_arguments(copy) != faults_of(rig.device).binary_loses_argument_info);

    RAW(clReleaseProgram)(copy);
    RAW(clReleaseProgram)(original);
  });
}

TEST_CASE("builds a module of an instruction that does not exist", "[.][bad_module]") {
  auto words = test::scale_module();
  constexpr std::size_t kThirdCapability = 9;
  words.at(kThirdCapability) = 2u << 16 | 199u;
  const Source module = Source::from_spirv(std::as_bytes(std::span(words)));
  test::for_each_device([&](test::Rig& rig) {
    Buffer<std::uint32_t> x(rig.context, 4);
    CHECK_THROWS_AS(launch(rig.queue, Kernel(rig.context, module, "scale"), 4, x, 2), Error);
  });
}

TEST_CASE("bad modules end the process where the table says, and nowhere else", "[program][driver_faults]") {
  const auto& devices = test::shared_context().devices();
  const bool ends = std::any_of(devices.begin(), devices.end(), [](const Device& device) {
    const auto& faults = device.capabilities().known_faults;
    return std::any_of(faults.begin(), faults.end(), [](const KnownFault& f) { return f.name == "intel_bad_modules"; });
  });

  const auto child = test::run_hidden_test("[bad_module]");

  CAPTURE(child.output);
  CHECK((child.exit_code != 0) == ends);
  CHECK_FALSE(child.timed_out);
}

// In a process of its own: the driver reads where its cache is once.
TEST_CASE("prints what a query for a binary compiles", "[.][binary_query]") {
  const char* cache = std::getenv("POCL_CACHE_DIR");
  REQUIRE(cache != nullptr);
  test::for_each_device([&](test::Rig& rig) {
    if (!faults_of(rig.device).binary_query_blocks) return;
    cl_program program = raw_program(rig);
    const std::size_t before = libraries_in(cache);
    static_cast<void>(binary_of(program, rig.device));
    std::cout << before << " then " << libraries_in(cache) << std::endl;
    RAW(clReleaseProgram)(program);
  });
}

TEST_CASE("a query for a binary compiles each kernel where the table says so", "[program][driver_faults]") {
  const auto& devices = test::shared_context().devices();
  if (std::none_of(devices.begin(), devices.end(), [](const Device& d) { return faults_of(d).binary_query_blocks; }))
    return;
  const test::Folder cache;

  const auto child = test::run_hidden_test("[binary_query]", {"POCL_CACHE_DIR=" + cache.path().string()});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(child.output.find("0 then ") != std::string::npos);
  CHECK(child.output.find("0 then 0") == std::string::npos);
}
