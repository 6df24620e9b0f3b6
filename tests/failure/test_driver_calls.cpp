// Every scenario with each of its driver calls failing in turn: it ends with the right result or with an anycl::Error, in
// time, and leaves nothing.
// Needs: a driver with threads, layers
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "failure/trial.hpp"
#include "support/catch.hpp"
#include "support/layer.hpp"
#include "support/sanitizer.hpp"
#include "support/scale.hpp"

using namespace anycl;
using test::Outcome;

namespace {

bool on(const std::string& driver) {
  const char* name = std::getenv("ANYCL_TEST_DRIVER");
  return name != nullptr && name == driver;
}

bool on_stub() { return on("stub"); }

std::vector<test::Scenario> playable() {
  std::vector<test::Scenario> found;
  for (const test::Scenario& scenario : test::scenarios())
    if (!on_stub() || !scenario.needs_compiler) found.push_back(scenario);
  return found;
}

/// PoCL's sub-devices are left to the system (lib/device/quirks.cpp).
const std::string kAlways = on("pocl") ? "; handles allow=sub-devices; late" : "; handles; late";

/// Played once.
const Outcome& untouched(const test::Scenario& scenario) {
  static std::map<std::string_view, Outcome> known;
  const auto found = known.find(scenario.name);
  if (found != known.end()) return found->second;
  const auto outcome =
      test::run_trial(scenario, {.layer_rules = std::string("fail * at=1000000000 code=-5") + kAlways});
  return known.emplace(scenario.name, outcome).first->second;
}

/// How many of `calls` calls are to fail: all at full scale and on the quick stub, but that a sanitizer slows down; else few.
std::uint64_t tries(std::uint64_t calls) {
  if (test::full_scale() || (on_stub() && !test::kOwnAllocator)) return calls;
  return std::min<std::uint64_t>(calls, on_stub() ? 12 : 3);
}

/// Which: others in each scenario.
std::vector<std::uint64_t> calls_to_fail(const test::Scenario& scenario, std::uint64_t calls) {
  const std::uint64_t most = tries(calls);
  const std::uint64_t stride = calls / most;
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < most; ++i) chosen.push_back(1 + i * stride + scenario.name.size() % stride);
  return chosen;
}

std::string failing(std::uint64_t call, int code) {
  return "fail * at=" + std::to_string(call) + " code=" + std::to_string(code) + kAlways;
}

}  // namespace

TEST_CASE("the test layer comes up in a trial, and a trial notices what is wrong", "[driver_calls]") {
  const auto outcome_of = [](void (*run)()) {
    return test::run_trial(test::Scenario{"probe", {}, run}, {.layer_rules = std::string("handles; late")},
                           std::chrono::seconds(2))
        .end;
  };

  CHECK(outcome_of([] { test::expect(test::layer_is_up(), "no layer"); }) == Outcome::End::right);
  CHECK(outcome_of([] { test::expect(false, "on purpose"); }) == Outcome::End::wrong);
  CHECK(outcome_of([] { throw InvalidArgument("on purpose"); }) == Outcome::End::error);
  CHECK(outcome_of([] { throw 1; }) == Outcome::End::foreign);
  CHECK(outcome_of([] { std::abort(); }) == Outcome::End::died);
  CHECK(outcome_of([] { std::_Exit(3); }) == Outcome::End::died);
  CHECK(outcome_of([] {
          while (true) {}
        }) == Outcome::End::hung);
}

TEST_CASE("every operation works as the first of its process and leaves nothing behind [OCL-142] [OCL-178]",
          "[driver_calls]") {
  for (const test::Scenario& scenario : playable()) {
    const Outcome& first = untouched(scenario);
    INFO(scenario.name << ": " << describe(first));
    CHECK(first.end == Outcome::End::right);
    CHECK(first.live == 0);
  }
}

TEST_CASE("every operation survives the failure of any one driver call", "[driver_calls]") {
  static constexpr std::array kCodes{-5, -6, -4, -36, -9999, -34, -30};

  for (const test::Scenario& scenario : playable()) {
    const Outcome& first = untouched(scenario);
    INFO(scenario.name << " undisturbed: " << describe(first));
    REQUIRE(first.end == Outcome::End::right);
    REQUIRE(first.live == 0);
    for (const std::uint64_t call : calls_to_fail(scenario, first.calls)) {
      // Every code only where a trial takes milliseconds.
      for (std::size_t i = 0; i < (test::full_scale() && on_stub() ? kCodes.size() : 1); ++i) {
        const int code = kCodes[(call + i) % kCodes.size()];
        const Outcome outcome = test::run_trial(scenario, {.layer_rules = failing(call, code)});
        INFO(scenario.name << ", call " << call << " of " << first.calls << " gives " << code << ": "
                           << describe(outcome));
        CHECK(outcome.good());
      }
    }
  }
}

TEST_CASE("every operation survives the loss of the device after any driver call [OCL-194] [OCL-196]",
          "[driver_calls]") {
  for (const test::Scenario& scenario : playable()) {
    const std::uint64_t calls = untouched(scenario).calls;
    for (const std::uint64_t call : calls_to_fail(scenario, calls)) {
      const std::string code = call % 2 == 0 ? "-5" : "-36";
      const Outcome outcome = test::run_trial(
          scenario, {.layer_rules = "lost after=" + std::to_string(call - 1) + " code=" + code + kAlways});
      INFO(scenario.name << ", all calls from " << call << " of " << calls << " give " << code << ": "
                         << describe(outcome));
      CHECK(outcome.good());
    }
  }
}

TEST_CASE("no operation is silent about the failure of a call that it cannot do without", "[driver_calls]") {
  static constexpr std::array kNeeded{
      "clCreateContext", "clCreateCommandQueue", "clCreateBuffer", "clCreateProgramWithSource",
      "clBuildProgram",  "clCreateKernel",       "clSetKernelArg", "clEnqueue*",
      "clFinish"};
  const auto told = [](const test::Scenario& scenario, std::string_view call) {
    // Without the cache, whose own calls may fail without a word.
    const Outcome outcome = test::run_trial(
        scenario,
        {.layer_rules = "fail " + std::string(call) + " at=1 code=-5" + kAlways, .variables = {"ANYCL_CACHE=off"}});
    INFO(scenario.name << ", the first " << call << " fails: " << describe(outcome));
    CHECK(outcome.good());
    if (outcome.touched) CHECK(outcome.end == Outcome::End::error);
    return outcome.touched;
  };

  std::size_t failures = 0;
  for (const test::Scenario& scenario : playable()) {
    INFO(scenario.name << " never makes the call it is to tell of");
    if (!scenario.tells.empty()) CHECK(told(scenario, scenario.tells));
    if (!on_stub() && !test::full_scale()) continue;
    for (const char* const call : kNeeded) failures += told(scenario, call) ? 1 : 0;
  }
  if (on_stub()) CHECK(failures >= playable().size());
}

TEST_CASE("a wait goes on while the work does, whatever its own calls give", "[driver_calls]") {
  const auto* const call = GENERATE("clWaitForEvents", "clFlush", "clGetEventInfo");
  for (const test::Scenario& scenario : playable()) {
    const std::string rules = std::string("delay ms=5; fail ") + call + " at=1 code=-5";
    const Outcome outcome = test::run_trial(scenario, {.layer_rules = rules + kAlways});
    INFO(scenario.name << ", the first " << call << " fails: " << describe(outcome));
    CHECK(outcome.good());
  }
}

// For a debugger: ANYCL_SCENARIO names it, OPENCL_LAYERS and ANYCL_TEST_LAYER say what fails.
TEST_CASE("replay one scenario in this process", "[.][replay]") {
  const char* name = std::getenv("ANYCL_SCENARIO");
  REQUIRE(name != nullptr);
  const auto& all = test::scenarios();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& scenario) { return scenario.name == name; });
  REQUIRE(found != all.end());

  found->run();
}
