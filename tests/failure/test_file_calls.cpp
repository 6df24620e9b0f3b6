// The kernel cache with each of its file-system calls failing in turn: results are right, and no file is left half
// written.
// Needs: a driver with threads, layers
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "failure/file_calls.hpp"
#include "failure/trial.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/scale.hpp"

using namespace anycl;
using test::Outcome;

namespace {

const test::Scenario& scenario_called(std::string_view name) {
  for (const test::Scenario& scenario : test::scenarios())
    if (scenario.name == name) return scenario;
  throw std::logic_error("a scenario that uses the cache is gone");
}

const test::Scenario& cache_scenario() { return scenario_called("cache statistics"); }

std::string in_folder(const test::Folder& folder) { return "ANYCL_CACHE_DIR=" + folder.file("cache"); }

/// One entry, the secret, and nothing else.
bool complete(const std::filesystem::path& cache) {
  std::size_t entries = 0, secrets = 0, others = 0;
  for (const auto& file : std::filesystem::directory_iterator(cache)) {
    const std::string name = file.path().filename();
    ++(name == "secret" ? secrets : name.ends_with(".bin") ? entries : others);
  }
  return entries == 1 && secrets == 1 && others == 0;
}

/// Files that are neither an entry nor the secret, each made two hours old.
std::size_t age_leftovers(const std::filesystem::path& cache) {
  std::size_t found = 0;
  if (!std::filesystem::exists(cache)) return found;
  for (const auto& file : std::filesystem::directory_iterator(cache)) {
    const std::string name = file.path().filename();
    if (name == "secret" || name.ends_with(".bin")) continue;
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    ++found;
  }
  return found;
}

void copy_cache(const test::Folder& from, const test::Folder& to) {
  std::filesystem::copy(from.file("cache"), to.file("cache"), std::filesystem::copy_options::recursive);
}

constexpr std::array kErrors{ENOSPC, EIO, EACCES, EROFS, EMFILE, EINTR, 0};  // 0: a short count

/// Plays the scenario with each file call failing, in a folder that `prepare` makes, and once more undisturbed.
template <class Prepare>
void fail_each_call(Prepare&& prepare) {
  const test::Folder calm;
  prepare(calm);
  const Outcome first = test::run_trial(cache_scenario(), {.variables = {in_folder(calm)}});
  INFO("undisturbed: " << describe(first));
  REQUIRE(first.end == Outcome::End::right);
  REQUIRE(first.calls > 0);
  REQUIRE(complete(calm.path() / "cache"));

  for (std::uint64_t call = 1; call <= first.calls; ++call) {
    for (std::size_t i = 0; i < (test::full_scale() ? kErrors.size() : 1); ++i) {
      const test::Folder folder;
      prepare(folder);
      const int error = kErrors[(call + i) % kErrors.size()];
      const Outcome outcome =
          test::run_trial(cache_scenario(), {.file_call = call, .file_error = error, .variables = {in_folder(folder)}});
      INFO("file call " << call << " of " << first.calls << " gives errno " << error << ": " << describe(outcome));
      CHECK(outcome.end == Outcome::End::right);  // a cache is never worth an error

      const Outcome next = test::run_trial(cache_scenario(), {.variables = {in_folder(folder)}});
      INFO("the run after that: " << describe(next));
      CHECK(next.end == Outcome::End::right);
      CHECK(complete(folder.path() / "cache"));
    }
  }
}

}  // namespace

TEST_CASE("an empty kernel cache survives the failure of any one file-system call [OCL-091]", "[file_calls]") {
  fail_each_call([](const test::Folder&) {});
}

TEST_CASE("a filled kernel cache survives the failure of any one file-system call [OCL-091]", "[file_calls]") {
  const test::Folder filled;
  REQUIRE(test::run_trial(cache_scenario(), {.variables = {in_folder(filled)}}).end == Outcome::End::right);

  fail_each_call([&](const test::Folder& folder) { copy_cache(filled, folder); });
}

TEST_CASE("a process killed at any file-system call of the kernel cache leaves whole files [OCL-085]", "[file_calls]") {
  const char* driver = std::getenv("ANYCL_TEST_DRIVER");
  if (driver == nullptr || std::string(driver) != "stub")
    ANYCL_SKIP("the same on each driver; the stub is the quickest");
  const test::Folder calm;
  const std::uint64_t calls = test::run_trial(cache_scenario(), {.variables = {in_folder(calm)}}).calls;
  REQUIRE(calls > 0);

  std::size_t kills_that_left_something = 0;
  for (std::uint64_t call = 1; call <= calls; ++call) {
    const test::Folder folder;
    const Outcome killed = test::run_trial(
        cache_scenario(), {.file_call = call, .file_error = test::kKilled, .variables = {in_folder(folder)}});
    INFO("killed at file call " << call << " of " << calls << ": " << describe(killed));
    CHECK(killed.end == Outcome::End::died);
    kills_that_left_something += age_leftovers(folder.path() / "cache");

    const Outcome next = test::run_trial(cache_scenario(), {.variables = {in_folder(folder)}});
    INFO("the run after that: " << describe(next));
    CHECK(next.end == Outcome::End::right);
    CHECK(complete(folder.path() / "cache"));
  }
  // The secret and the entry, each at the two calls from its first name on: closing it and renaming it.
  CHECK(kills_that_left_something <= 4);
}

TEST_CASE("who looks after a kernel cache is told of any one file-system call that fails [OCL-091]", "[file_calls]") {
  const test::Scenario& scenario = scenario_called("stored programs");
  const test::Folder calm;
  const Outcome first = test::run_trial(scenario, {.variables = {in_folder(calm)}});
  INFO("undisturbed: " << describe(first));
  REQUIRE(first.end == Outcome::End::right);

  for (std::uint64_t call = 1; call <= first.calls; ++call) {
    const test::Folder folder;
    const int error = kErrors[call % kErrors.size()];
    const Outcome outcome =
        test::run_trial(scenario, {.file_call = call, .file_error = error, .variables = {in_folder(folder)}});
    INFO("file call " << call << " of " << first.calls << " gives errno " << error << ": " << describe(outcome));
    CHECK(outcome.good());

    const Outcome next = test::run_trial(scenario, {.variables = {in_folder(folder)}});
    INFO("the run after that: " << describe(next));
    CHECK(next.end == Outcome::End::right);
  }
}

TEST_CASE("a source of files is read whole, or its reader is told, whichever file-system call fails", "[file_calls]") {
  const test::Scenario& scenario = scenario_called("build from files");
  const std::vector<std::string> without_cache{"ANYCL_CACHE=off"};
  const Outcome first = test::run_trial(scenario, {.variables = without_cache});
  INFO("undisturbed: " << describe(first));
  REQUIRE(first.end == Outcome::End::right);

  for (std::uint64_t call = 1; call <= first.calls; ++call) {
    const int error = kErrors[call % kErrors.size()];
    const Outcome outcome =
        test::run_trial(scenario, {.file_call = call, .file_error = error, .variables = without_cache});
    INFO("file call " << call << " of " << first.calls << " gives errno " << error << ": " << describe(outcome));
    CHECK(outcome.good());
  }
}
