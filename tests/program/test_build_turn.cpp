// Needs: a driver with compiler, threads
#include <atomic>
#include <chrono>
#include <cstdlib>

#include "anycl/anycl.hpp"
#include "base/os_folder_lock.hpp"
#include "device/device_record.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSource = "kernel void one(global int* x) { x[0] = 1; }\n";

}  // namespace

// In a process of its own: the driver reads where its cache is once.
TEST_CASE("builds from source and from a stored entry, looking who holds the driver's folder", "[.][looks_for_turn]") {
  static std::atomic<int> builds = 0;
  static std::atomic<int> held = 0;
  const test::Faults faults([](detail::EntryPoints& table) {
    table.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                              void(CL_CALLBACK * callback)(cl_program, void*), void* data) -> cl_int {
      builds++;
      if (!os::FolderLock(std::getenv("POCL_CACHE_DIR"), 0ms).is_held()) held++;
      return test::real_driver().clBuildProgram(program, count, devices, options, callback, data);
    };
  });
  test::for_each_device([&](test::Rig& rig) {
    const test::Folder folder;
    for (int round = 1; round <= 2; ++round) {
      builds = held = 0;
      test::OwnContext own(rig.device, "on", folder.path());
      Buffer<int> x(own.context, 1);
      launch(own.queue, Kernel(own.context, kSource, "one"), 1, x);
      flush_kernel_cache(own.context);
      CHECK(builds == 1);
      CHECK((held == 1) == rig.device.record().faults.build_races);
    }
    CHECK(os::FolderLock(std::getenv("POCL_CACHE_DIR"), 0ms).is_held());  // nobody else holds it now
  });
}

TEST_CASE("builds of one driver take turns where the table says so", "[program][build_turn][OCL-086]") {
  static_cast<void>(test::shared_context());
  const test::Folder cache;

  const auto child = test::run_hidden_test("[looks_for_turn]", {"POCL_CACHE_DIR=" + cache.path().string()});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("a folder of the driver's own that is gone stops no build", "[program][build_turn][OCL-086]") {
  const test::Variable gone("POCL_CACHE_DIR", "/nowhere/at/all");  // after the driver has read it
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device, "off", "");
    CHECK_NOTHROW(Kernel(own.context, kSource, "one"));
  });
}
