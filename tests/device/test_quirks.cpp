// The table of what drivers get wrong. That drivers at hand still do, tests/program/test_driver_faults.cpp shows.
// Needs: no driver
#include "device/quirks.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "anycl/device/device.hpp"
#include "device/driver_variables.hpp"
#include "device/fake_machine.hpp"
#include "support/catch.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

using namespace anycl;
using detail::DriverFaults;
using detail::Quirk;
using detail::QuirkOverrides;
using test::FakeMachine;

namespace {

struct Machine {
  std::string quirk;
  std::string platform;
  std::string device;
  std::string driver_version;
  cl_device_type type = CL_DEVICE_TYPE_GPU;
  cl_uint vendor_id = 0;
};

/// For each quirk, a device that has it.
const std::vector<Machine>& machines() {
  static const std::vector<Machine> all{
      {"rusticl_loop_end", "rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)", "22.3.6", CL_DEVICE_TYPE_CPU},
      {"rusticl_time_stamps", "rusticl", "AMD Radeon", "22.3.6"},
      {"rusticl_global_size", "rusticl", "AMD Radeon", "24.1.0"},
      {"pocl_global_size", "Portable Computing Language", "cpu", "3.1", CL_DEVICE_TYPE_CPU},
      {"pocl_build_race", "Portable Computing Language", "cpu", "3.1", CL_DEVICE_TYPE_CPU},
      {"pocl_binary_query", "Portable Computing Language", "cpu", "3.1", CL_DEVICE_TYPE_CPU},
      {"pocl_sub_device_release", "Portable Computing Language", "cpu", "3.1", CL_DEVICE_TYPE_CPU},
      {"oclgrind_threads", "Oclgrind", "Oclgrind Simulator", "Oclgrind 21.10", CL_DEVICE_TYPE_CPU},
      {"oclgrind_warnings", "Oclgrind", "Oclgrind Simulator", "Oclgrind 21.10", CL_DEVICE_TYPE_CPU},
      {"nvidia_shared_context", "NVIDIA CUDA", "GeForce", "550.54.14"},
      {"nvidia_large_fill", "NVIDIA CUDA", "GeForce", "550.54.14"},
      {"intel_large_buffers", "Intel(R) OpenCL Graphics", "Arc", "24.13.29138", CL_DEVICE_TYPE_GPU, 0x8086},
      {"intel_binary_arguments", "Intel(R) OpenCL", "Xeon", "2026.2.1", CL_DEVICE_TYPE_CPU, 0x8086},
      {"intel_bad_modules", "Intel(R) OpenCL", "Xeon", "2026.2.1", CL_DEVICE_TYPE_CPU, 0x8086},
  };
  return all;
}

Device discovered(const Machine& machine) {
  const FakeMachine fake({{machine.platform,
                           {test::plain_device(machine.device, machine.type)
                                .text(CL_DRIVER_VERSION, machine.driver_version)
                                .value<cl_uint>(CL_DEVICE_VENDOR_ID, machine.vendor_id)
                                .value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE, 1 << 20)
                                .value<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1)}}});
  return discover().devices().at(0);
}

std::vector<std::string> faults_of(const Device& device) {
  std::vector<std::string> names;
  for (const KnownFault& fault : device.capabilities().known_faults) names.push_back(fault.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Machine& nvidia_card() {
  return *std::find_if(machines().begin(), machines().end(),
                       [](const Machine& machine) { return machine.quirk == "nvidia_large_fill"; });
}

std::vector<std::string> terms(const QuirkOverrides& overrides) {
  std::vector<std::string> all;
  for (const auto& [name, value] : overrides.facts()) all.push_back(name + '=' + value);
  return all;
}

detail::DeviceRecord record_of_version(const std::string& driver_version) {
  detail::DeviceRecord record;
  record.driver_version = driver_version;
  return record;
}

}  // namespace

TEST_CASE("each quirk has a name of its own, a reason and a device here that has it", "[device][quirks]") {
  std::set<std::string> names;
  for (const Quirk& quirk : detail::quirks()) {
    const std::string name(quirk.name);
    CAPTURE(name);
    CHECK(names.insert(name).second);
    CHECK_FALSE(quirk.reason.empty());
    const auto machine = std::find_if(machines().begin(), machines().end(), [&](auto& m) { return m.quirk == name; });
    REQUIRE(machine != machines().end());
    CHECK(has(faults_of(discovered(*machine)), name));
  }
}

TEST_CASE("a quirk is for the devices it names", "[device][quirks]") {
  const auto faults = [](const std::string& platform, const std::string& name, cl_device_type type, cl_uint vendor) {
    return faults_of(discovered({"", platform, name, "30.1", type, vendor}));
  };

  CHECK(faults("Maker's own", "GeForce", CL_DEVICE_TYPE_GPU, 0x10de).empty());
  CHECK_FALSE(has(faults("rusticl", "AMD Radeon", CL_DEVICE_TYPE_GPU, 0x1002), "rusticl_loop_end"));
  CHECK_FALSE(has(faults("Intel(R) OpenCL", "Xeon", CL_DEVICE_TYPE_CPU, 0x8086), "intel_large_buffers"));
  CHECK_FALSE(has(faults("Intel(R) OpenCL", "Arc", CL_DEVICE_TYPE_GPU, 0x8086), "intel_binary_arguments"));
  CHECK_FALSE(has(faults("Intel(R) OpenCL", "Arc", CL_DEVICE_TYPE_GPU, 0x1002), "intel_large_buffers"));
}

TEST_CASE("driver versions count from the first to before the last", "[device][quirks]") {
  const Quirk quirk{.name = "q", .reason = "r", .platform_alias = "", .since = Version{2, 5}, .until = Version{3, 0}};
  const auto [version, wanted] = GENERATE(table<std::string, bool>({
      {"2.4.9", false},
      {"2.5", true},
      {"2.5.1 (release)", true},
      {"2.10", true},
      {"3.0", false},
      {"3.0.0-1", false},
      {"12.6", false},
      {"unreadable", true},
      {"", true},
  }));

  CAPTURE(version);
  CHECK(detail::matches(quirk, record_of_version(version)) == wanted);
}

TEST_CASE("what a quirk knows reaches the record and the facts", "[device][quirks]") {
  const Device nvidia = discovered(nvidia_card());
  const Device llvmpipe = discovered(machines().front());

  CHECK(nvidia.record().faults.one_context_per_device);
  CHECK(nvidia.record().faults.max_fill_bytes == 0x7fffffffu);
  CHECK(nvidia.capabilities().timestamps_trusted);
  CHECK_FALSE(nvidia.capabilities().max_loop_iterations);
  CHECK(llvmpipe.capabilities().max_loop_iterations == 65535u);
  CHECK_FALSE(llvmpipe.capabilities().timestamps_trusted);
  CHECK(llvmpipe.record().faults.range_limits().max_global_items == 0xffffffffu);
  CHECK(llvmpipe.record().faults.range_limits().max_total_items == ~std::uint64_t{0});
}

TEST_CASE("a user leaves quirks out and sets facts", "[device][quirks]") {
  const test::Variable variable("ANYCL_QUIRKS", " !nvidia_shared_context , max_fill_bytes=4K,one_thread_only=on");
  const test::LogCapture log;

  const Device device = discovered(nvidia_card());

  CHECK_FALSE(device.record().faults.one_context_per_device);
  CHECK(device.record().faults.max_fill_bytes == 4096u);
  CHECK(device.record().faults.one_thread_only);
  CHECK(faults_of(device) == std::vector<std::string>{"nvidia_large_fill", "max_fill_bytes", "one_thread_only"});
  CHECK(device.capabilities().known_faults[1].what == "set to 4K by ANYCL_QUIRKS");
  CHECK(log.count(LogLevel::warn) == 0);
}

TEST_CASE("a fact that a user denies is gone from the public facts too", "[device][quirks]") {
  const test::Variable variable("ANYCL_QUIRKS", "max_loop_iterations=none,timestamps_untrusted=off");

  const Device device = discovered(machines().front());

  CHECK_FALSE(device.capabilities().max_loop_iterations);
  CHECK(device.capabilities().timestamps_trusted);
}

TEST_CASE("a user's word on time stamps counts for more than the driver's", "[device][quirks]") {
  const auto trusted = [](const char* quirks) {
    const test::Variable variable("ANYCL_QUIRKS", quirks);
    const FakeMachine fake(
        {{"Fake", {test::plain_device("card").value<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 0)}}});
    return discover().devices().at(0).capabilities().timestamps_trusted;
  };

  CHECK_FALSE(trusted(""));
  CHECK(trusted("timestamps_untrusted=off"));
  CHECK_FALSE(trusted("timestamps_untrusted=on"));
}

TEST_CASE("terms are read one by one, and those that mean nothing are left out", "[device][quirks]") {
  const QuirkOverrides overrides(
      "max_fill_bytes=2G, max_total_items = 5 ,,timestamps_untrusted=off,!pocl_global_size,max_loop_iterations=none,"
      "!no_such,max_fill_bytes,max_fill_bytes=,max_fill_bytes=x,max_fill_bytes=5 K,max_fill_bytes=-1,"
      "max_fill_bytes=16777216T,one_thread_only=yes,no_such=1,=1,!,max_fill_bytes=99999999999999999999");

  CHECK(terms(overrides) == std::vector<std::string>{"max_fill_bytes=2G", "max_total_items=5",
                                                     "timestamps_untrusted=off", "max_loop_iterations=none"});
  CHECK(overrides.leave_out("pocl_global_size"));
  CHECK_FALSE(overrides.leave_out("no_such"));
  CHECK(overrides.bad_terms().size() == 12);
  CHECK(QuirkOverrides("").bad_terms().empty());
  CHECK(QuirkOverrides(" , ,").bad_terms().empty());
}

TEST_CASE("terms that mean nothing give one warning that names the first", "[device][quirks]") {
  const test::Variable variable("ANYCL_QUIRKS", "!unheard_of_1,max_fill_bytes=1M,odd=2");
  const test::LogCapture log;

  const Device device = discovered(nvidia_card());

  CHECK(device.record().faults.max_fill_bytes == 1048576u);
  CHECK(log.count(LogLevel::warn) == 1);
  CHECK(log.count(LogLevel::warn, "ANYCL_QUIRKS: '!unheard_of_1' and 1 more are left out") == 1);
}

TEST_CASE("of a driver's variables the longest name decides", "[device][quirks]") {
  const test::Variable own("POCL_MAX_PTHREAD_COUNT", "1");
  const test::Variable cache("POCL_CACHE_DIR", "/nowhere");
  const test::Variable pipe("LP_NUM_THREADS", "2");
  const test::Variable enable("RUSTICL_ENABLE", "llvmpipe");
  const test::Variable gallivm("GALLIVM_DEBUG", "x");

  CHECK(has(detail::compiler_variables("pocl"), "POCL_MAX_PTHREAD_COUNT=1"));
  CHECK_FALSE(has(detail::compiler_variables("pocl"), "POCL_CACHE_DIR=/nowhere"));
  CHECK(detail::compiler_variables("rusticl") == std::vector<std::string>{"GALLIVM_DEBUG=x", "LP_NUM_THREADS=2"});
  CHECK(detail::compiler_variables("nvidia").empty());
}
