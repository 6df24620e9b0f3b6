// Trying drivers in child processes with each of the library's own file-system calls failing in turn: no good driver is
// left out for it, then or later.
// Needs: a driver with threads, layers
#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "failure/trial.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"

using namespace anycl;
using test::Outcome;

namespace {

/// Finding no device is an error there.
const test::Scenario& choice() {
  for (const test::Scenario& scenario : test::scenarios())
    if (scenario.name == "choose") return scenario;
  throw std::logic_error("the scenario that chooses devices is gone");
}

/// The test's environment says `inline`; an empty value is none.
std::vector<std::string> remembering_in(const test::Folder& folder) {
  return {"ANYCL_PROBE=", "ANYCL_PROBE_LIMIT=60", "ANYCL_CACHE_DIR=" + folder.file("cache")};
}

}  // namespace

TEST_CASE("drivers are used whichever file-system call fails while they are tried", "[probe_calls]") {
  const char* driver = std::getenv("ANYCL_TEST_DRIVER");
  if (driver == nullptr || std::string(driver) != "stub")
    ANYCL_SKIP("the same on each driver; the stub is the quickest");
  const bool remembered = GENERATE(false, true);
  CAPTURE(remembered);
  constexpr std::array kErrors{EIO, EMFILE, ENOSPC, EACCES};
  const test::Folder calm;
  const auto run_calm = [&] { return test::run_trial(choice(), {.variables = remembering_in(calm)}); };
  if (remembered) REQUIRE(run_calm().end == Outcome::End::right);
  const Outcome first = run_calm();
  INFO("undisturbed: " << describe(first));
  REQUIRE(first.end == Outcome::End::right);
  REQUIRE(first.calls > 0);

  for (std::uint64_t call = 1; call <= first.calls; ++call) {
    const test::Folder folder;
    const auto variables = remembering_in(folder);
    if (remembered) REQUIRE(test::run_trial(choice(), {.variables = variables}).end == Outcome::End::right);
    const int error = kErrors[call % kErrors.size()];
    const Outcome outcome = test::run_trial(choice(), {.file_call = call, .file_error = error, .variables = variables});
    INFO("file call " << call << " of " << first.calls << " gives errno " << error << ": " << describe(outcome));
    CHECK(outcome.end == Outcome::End::right);

    const Outcome next = test::run_trial(choice(), {.variables = variables});
    INFO("the run after that: " << describe(next));
    CHECK(next.end == Outcome::End::right);
  }
}
