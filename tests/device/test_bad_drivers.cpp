// Discovery beside drivers that are slow, broken or no drivers at all. Loaders look for drivers once per process, so each
// of these runs in a process of its own.
// Needs: no driver
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "anycl/device/selection.hpp"
#include "device/entry_points.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/layer.hpp"
#include "support/stub.hpp"

using namespace anycl;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kHealthy = "platform-name=healthy;device-name=well";

/// What a process finds that sees a healthy driver and one with `settings`.
test::ChildResult discover_beside(const std::string& settings) {
  test::StubFolder drivers;
  drivers.add("healthy", kHealthy).add("odd", settings);
  return test::run_hidden_test("[print_platforms]", drivers.variables());
}

std::vector<std::string> joined(std::vector<std::string> left, const std::vector<std::string>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace

TEST_CASE("prints platforms and the default choice, for a process of its own", "[.][print_platforms]") {
  const Discovery found = discover();
  for (const Platform& platform : found.platforms)
    std::cout << "platform " << platform.name << ", devices " << platform.devices.size() << std::endl;
  for (const std::string& warning : found.warnings) std::cout << "warning: " << warning << std::endl;
  for (const ChosenDevice& chosen : choose_devices(found, ""))
    std::cout << "chosen " << chosen.device.name() << std::endl;
}

TEST_CASE("a driver that takes its time is waited for, and does no harm [OCL-019]", "[device][bad_drivers]") {
  const auto settings = GENERATE(as<std::string>{}, "load=sleep:0.3", "platforms=sleep:0.3");

  const auto child = discover_beside(settings + ";platform-name=slow");

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform slow, devices 1\n") && Contains("platform healthy, devices 1\n"));
}

TEST_CASE("a driver that does not come up leaves the others usable [OCL-022]", "[device][bad_drivers]") {
  const auto settings = GENERATE(as<std::string>{}, "load=fail", "platforms=none", "platforms=error:-30");

  const auto child = discover_beside(settings);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy, devices 1\n") && Contains("chosen well\n"));
}

TEST_CASE("one driver under two driver files is one", "[device][bad_drivers]") {
  test::StubFolder drivers;
  for (const char* file : {"once", "again"}) drivers.add(file, "platform-name=healthy;devices=nvidia-rtx-3090");

  const auto child = test::run_hidden_test("[print_platforms]", drivers.variables());

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy, devices 1\nwarning: platform 'healthy' is there twice"));
  CHECK(child.output.find("chosen") == child.output.rfind("chosen"));
}

TEST_CASE("a driver file that names a loader makes nothing hang [OCL-023]", "[device][bad_drivers]") {
  const auto loader = GENERATE(as<std::string>{}, "libOpenCL.so.1", detail::entry_points().library);
  test::StubFolder drivers;
  drivers.add("healthy", kHealthy);
  drivers.add_file("loop", loader);

  const auto child = test::run_hidden_test("[print_platforms]", drivers.variables(), std::chrono::seconds(20));

  CAPTURE(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("chosen well\n"));
}

TEST_CASE("a count that a refused query spoiled is not used [OCL-007] [OCL-008]", "[device][bad_drivers]") {
  test::StubFolder drivers;
  drivers.add("odd", "platform-name=odd");

  // The layer fills what the query should have written with bytes 0xCC.
  const auto child = test::run_hidden_test(
      "[print_platforms]", joined(drivers.variables(), test::under_layer("fail clGetDeviceIDs code=-1")));

  CAPTURE(child.output);
  CHECK_THAT(child.output, Contains("platform odd, devices 0\nwarning: platform 'odd' has no device\n"));
}
