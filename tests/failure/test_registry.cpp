// No public function is forgotten by the failure harness.
// Needs: no driver
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "failure/scenario.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"

using namespace anycl;

namespace {

/// Demangled, as `nm` prints them: code that the shared library exports.
std::vector<std::string> public_functions() {
  const char* build = std::getenv("ANYCL_TEST_BUILD");
  REQUIRE(build != nullptr);  // set by ctest
  const auto listed = test::run_child("nm", {"-DC", "--defined-only", std::string(build) + "/lib/libanycl.so"});
  INFO(listed.output);
  REQUIRE(listed.exit_code == 0);
  std::vector<std::string> found;
  std::istringstream lines(listed.output);
  for (std::string line; std::getline(lines, line);) {
    const auto mark = line.find(" T anycl::");
    if (mark != std::string::npos) found.push_back(line.substr(mark + 3));
  }
  return found;
}

std::vector<std::string_view> registered() {
  std::vector<std::string_view> all = test::operations_without_calls();
  for (const test::Scenario& scenario : test::scenarios())
    all.insert(all.end(), scenario.operations.begin(), scenario.operations.end());
  return all;
}

}  // namespace

TEST_CASE("every public function has a scenario of its own, or calls nothing that can fail", "[registry]") {
  const auto functions = public_functions();
  const auto known = registered();
  REQUIRE(functions.size() > 50);

  for (const std::string& function : functions) {
    INFO(function << ": add a line to tests/failure/scenarios.cpp");
    CHECK(std::any_of(known.begin(), known.end(), [&](std::string_view begin) { return function.starts_with(begin); }));
  }
  for (const std::string_view begin : known) {
    INFO(begin << " in tests/failure/scenarios.cpp is no public function (any more)");
    CHECK(std::any_of(functions.begin(), functions.end(), [&](const auto& name) { return name.starts_with(begin); }));
  }
}
