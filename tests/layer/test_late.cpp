// The rule late. Verdicts fall at the end of a process: each child is a hidden test of this program.
// Needs: a driver with compiler, threads, layers
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::RawRig;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void ask_something() {
  cl_uint count = 0;
  cl().clGetPlatformIDs(0, nullptr, &count);
}

/// Constructed before the first OpenCL call of the process, and so destroyed after the drivers.
struct CallsAtItsEnd {
  ~CallsAtItsEnd() {
    if (armed) ask_something();
  }
  bool armed = false;
};
CallsAtItsEnd older_than_opencl;

void await(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::atomic<bool> called_back{false};

}  // namespace

TEST_CASE("calls after shutdown are counted", "[layer][late]") {
  REQUIRE(test::layer_is_up());
  const auto before = test::layer_report().late;

  test::mark_shutdown(true);
  ask_something();
  test::mark_shutdown(false);
  ask_something();

  CHECK(test::layer_report().late == before + 1);
}

TEST_CASE("calls from inside a callback are counted", "[layer][late]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto buffer = rig.buffer(64);
  const std::uint32_t value = 1;
  const auto before = test::layer_report().late;
  int passed_on = 0;
  called_back = false;
  const auto event = rig.write(rig.queue, buffer, value);

  const auto code = cl().clSetEventCallback(
      event, CL_COMPLETE,
      [](cl_event, cl_int status, void* user_data) {
        ask_something();
        if (status == CL_COMPLETE) *static_cast<int*>(user_data) = 5;
        called_back = true;
      },
      &passed_on);
  REQUIRE(code == CL_SUCCESS);
  cl().clFinish(rig.queue);
  await(called_back);

  CHECK(passed_on == 5);
  CHECK(test::layer_report().late == before + 1);
}

TEST_CASE("child: a call after shutdown", "[.][child_late]") {
  REQUIRE(test::layer_is_up());
  test::mark_shutdown(true);
  ask_something();
}

TEST_CASE("child: a call from the callback of a build", "[.][child_late_callback]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const char* source = "kernel void nothing(void) {}";
  cl_int code = CL_SUCCESS;
  const test::Owned program(cl().clCreateProgramWithSource(rig.context, 1, &source, nullptr, &code));
  cl().clBuildProgram(
      program, 1, &rig.device, "",
      [](cl_program, void*) {
        ask_something();
        called_back = true;
      },
      nullptr);
  await(called_back);
}

TEST_CASE("child: a call after the drivers' end", "[.][child_late_exit]") {
  REQUIRE(test::layer_is_up());
  older_than_opencl.armed = true;
}

TEST_CASE("child: a static object releases in time", "[.][child_static]") {
  REQUIRE(test::layer_is_up());
  static std::optional<RawRig> rig;
  rig.emplace();
}

TEST_CASE("calls after shutdown end the process with 86", "[layer][late]") {
  const auto result = test::run_hidden_test("[child_late]", test::under_layer("late"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 86);
  CHECK(contains(result.output, "late call of clGetPlatformIDs, after shutdown"));
  CHECK(test::run_hidden_test("[child_late]", test::under_layer("")).exit_code == 0);
}

TEST_CASE("calls from a callback end the process with 86", "[layer][late]") {
  const auto result = test::run_hidden_test("[child_late_callback]", test::under_layer("late"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 86);
  CHECK(contains(result.output, "late call of clGetPlatformIDs, from inside a driver's callback"));
}

TEST_CASE("calls after the drivers' end end the process with 86", "[layer][late]") {
  const auto result = test::run_hidden_test("[child_late_exit]", test::under_layer("late"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 86);
  CHECK(contains(result.output, "late call of clGetPlatformIDs, after the drivers' end began"));
}

TEST_CASE("static objects that are younger than OpenCL release in time", "[layer][late]") {
  const auto result = test::run_hidden_test("[child_static]", test::under_layer("late; handles"));

  CAPTURE(result.output);
  CHECK(result.exit_code == 0);
}
