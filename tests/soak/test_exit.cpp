// Ends of processes, many times over: what crashes once in a hundred is found here.
// Needs: a driver with threads
#include <chrono>
#include <string>

#include "soak/length.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"

using namespace anycl;

TEST_CASE("a process with work pending ends in time with code 0 [OCL-181] [OCL-182] [OCL-184]", "[soak][exit]") {
  const std::string end = GENERATE("statics", "late", "leaked", "closed", "thread", "quick");
  const int times = test::rounds(end == "statics" ? 200 : 50, 3);

  for (int i = 0; i < times; ++i) {
    const auto result =
        test::run_hidden_test_of("tests_context", "[child_exit_" + end + "]", {}, std::chrono::seconds(5));
    CAPTURE(end, i, result.output);
    REQUIRE_FALSE(result.timed_out);
    REQUIRE(result.signal == 0);
    REQUIRE(result.exit_code == 0);
  }
}
