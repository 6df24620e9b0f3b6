// Needs: no driver
#include "base/environment.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/os_process.hpp"
#include "support/catch.hpp"

using namespace anycl;

TEST_CASE("an unset and an empty variable are the same: nothing", "[base][environment]") {
  ::unsetenv("ANYCL_TEST_VARIABLE");
  CHECK_FALSE(environment("ANYCL_TEST_VARIABLE").has_value());

  ::setenv("ANYCL_TEST_VARIABLE", "", 1);
  CHECK_FALSE(environment("ANYCL_TEST_VARIABLE").has_value());

  ::setenv("ANYCL_TEST_VARIABLE", " a b=c ", 1);
  CHECK(environment("ANYCL_TEST_VARIABLE") == " a b=c ");
  ::unsetenv("ANYCL_TEST_VARIABLE");
}

TEST_CASE("variables are found by the beginning of their names", "[base][environment]") {
  ::setenv("ANYCL_TEST_PREFIX_A", "1", 1);
  ::setenv("ANYCL_TEST_PREFIX_B", "", 1);
  ::setenv("OTHER_ANYCL_TEST_PREFIX_C", "3", 1);

  auto found = os::environment_with_prefix("ANYCL_TEST_PREFIX_");
  std::sort(found.begin(), found.end());

  CHECK(found == std::vector<std::string>{"ANYCL_TEST_PREFIX_A=1", "ANYCL_TEST_PREFIX_B="});
  for (const char* name : {"ANYCL_TEST_PREFIX_A", "ANYCL_TEST_PREFIX_B", "OTHER_ANYCL_TEST_PREFIX_C"}) ::unsetenv(name);
}
