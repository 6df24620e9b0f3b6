// Needs: no driver
#include "base/environment.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/os_environment.hpp"
#include "base/os_process.hpp"
#include "support/catch.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

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

TEST_CASE("a limit is a whole number of seconds, or the usual one with a warning", "[base][environment]") {
  using std::chrono::seconds;
  const test::LogCapture log;
  const auto limit = [](std::optional<std::string> text) {
    const test::Variable variable("ANYCL_TEST_LIMIT", std::move(text));
    return seconds_from_environment("ANYCL_TEST_LIMIT", seconds(7));
  };

  CHECK(limit("0") == seconds(0));
  CHECK(limit("90") == seconds(90));
  CHECK(limit(std::nullopt) == seconds(7));
  CHECK(limit("") == seconds(7));
  CHECK(log.count(LogLevel::warn) == 0);
  for (const char* junk : {"-1", "1.5", "5 s", "soon", "99999999999999999999"}) {
    CHECK(limit(junk) == seconds(7));
    CHECK(log.count(LogLevel::warn, std::string("ANYCL_TEST_LIMIT='") + junk + "' is not a number of seconds") == 1);
  }
}

TEST_CASE("changes to the environment last until the scope ends", "[base][environment]") {
  const test::Variable set("ANYCL_TEST_SET", "before");
  const test::Variable unset("ANYCL_TEST_UNSET", std::nullopt);
  {
    const os::ScopedVariables changes({"ANYCL_TEST_SET=a=b", "ANYCL_TEST_UNSET=now", "ANYCL_TEST_SET"});

    CHECK_FALSE(environment("ANYCL_TEST_SET").has_value());
    CHECK(environment("ANYCL_TEST_UNSET") == "now");
  }

  CHECK(environment("ANYCL_TEST_SET") == "before");
  CHECK_FALSE(environment("ANYCL_TEST_UNSET").has_value());
}
