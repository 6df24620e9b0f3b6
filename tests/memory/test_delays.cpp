// Commands that start late: the order that buffers give does not rest on luck.
// Needs: a driver with compiler, threads, layers
#include <string>

#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"

using namespace anycl;

TEST_CASE("random work gives what a serial host gives, however late its commands start [OCL-158]", "[memory][delays]") {
  const auto rules =
      GENERATE(as<std::string>{}, "hold until=flush", "delay ms=1 chance=0.1 seed=1", "delay ms=3 chance=0.03 seed=2");
  auto changes = test::under_layer(rules + "; handles; late");
  changes.push_back("ANYCL_CASE_RESULTS");  // under the layer it is this test's result

  const auto child = test::run_child("/proc/self/exe", {"random work on all devices*"}, changes);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(child.output.find("test case") != std::string::npos);
  CHECK(child.output.find("No test cases matched") == std::string::npos);
}
