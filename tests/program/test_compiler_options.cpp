// Needs: a driver with compiler
#include "program/compiler_options.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "device/device_record.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/log_capture.hpp"

using namespace anycl;

namespace {

constexpr BuildFlag kFlags[] = {
    BuildFlag::fast_relaxed_math, BuildFlag::unsafe_math,
    BuildFlag::finite_math_only,  BuildFlag::denorms_are_zero,
    BuildFlag::mad_enable,        BuildFlag::no_signed_zeros,
    BuildFlag::no_optimization,   BuildFlag::correctly_rounded_divide_sqrt,
};

constexpr const char* kVersionSource = "kernel void k(global int* x) { *x = __OPENCL_C_VERSION__; }\n";

Device made_up_card(bool large_buffers = false) {
  detail::DeviceRecord record;
  record.name = "card";
  record.capabilities.opencl_c_versions = {{1, 1}, {1, 2}, {2, 0}};
  record.capabilities.correctly_rounded_divide_sqrt = true;
  if (large_buffers) record.faults.large_buffer_flag = 1;
  record.faults.large_buffer_option = "-large";
  return Device(std::make_shared<detail::DeviceRecord>(record));
}

std::string options_for(const Device& device, const BuildOptions& options) {
  return detail::compiler_options(detail::BuildInput(Source(kVersionSource, "k.cl"), options), device);
}

/// Every option that `device` has, in that order or the other way round.
BuildOptions all_of(const Device& device, bool backwards) {
  BuildOptions options;
  std::vector<BuildFlag> flags(std::begin(kFlags), std::end(kFlags));
  if (!device.capabilities().correctly_rounded_divide_sqrt) flags.pop_back();
  if (backwards) options.warnings(Warnings::off).language({1, 2});
  if (backwards) std::reverse(flags.begin(), flags.end());
  for (const BuildFlag flag : flags) options.set(flag);
  if (!backwards) options.warnings(Warnings::off).language({1, 2});
  return options;
}

bool has_language(const Device& device, const Version& version) {
  const auto& versions = device.capabilities().opencl_c_versions;
  return std::find(versions.begin(), versions.end(), version) != versions.end();
}

}  // namespace

TEST_CASE("without options a build is strict", "[program][compiler_options]") {
  CHECK(options_for(made_up_card(), {}) == "-cl-kernel-arg-info");
  CHECK(options_for(made_up_card(true), {}) == "-cl-kernel-arg-info -large");
}

TEST_CASE("options have one order, whatever order they were set in", "[program][compiler_options]") {
  const Device card = made_up_card(true);

  CHECK(options_for(card, all_of(card, false)) ==
        "-cl-kernel-arg-info -cl-std=CL1.2 -cl-fast-relaxed-math -cl-unsafe-math-optimizations -cl-finite-math-only "
        "-cl-denorms-are-zero -cl-mad-enable -cl-no-signed-zeros -cl-fp32-correctly-rounded-divide-sqrt "
        "-cl-opt-disable -w "
        "-large");
  CHECK(options_for(card, all_of(card, true)) == options_for(card, all_of(card, false)));
  CHECK(options_for(made_up_card(), BuildOptions().warnings(Warnings::errors)) == "-cl-kernel-arg-info -Werror");
}

TEST_CASE("each option by itself is another build", "[program][compiler_options]") {
  const Device card = made_up_card();
  std::vector<std::string> texts{options_for(card, {})};
  for (const BuildFlag flag : kFlags) texts.push_back(options_for(card, BuildOptions().set(flag)));
  for (const Warnings warnings : {Warnings::off, Warnings::errors})
    texts.push_back(options_for(card, BuildOptions().warnings(warnings)));
  for (const Version& version : card.capabilities().opencl_c_versions)
    texts.push_back(options_for(card, BuildOptions().language(version)));

  std::sort(texts.begin(), texts.end());

  CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end());
}

TEST_CASE("what a device lacks is Unsupported before its compiler is asked", "[program][compiler_options]") {
  detail::DeviceRecord record;
  record.name = "old card";
  record.capabilities.opencl_c_versions = {{1, 1}, {1, 2}, {3, 0}};
  const Device card(std::make_shared<detail::DeviceRecord>(record));

  CHECK_THROWS_WITH(options_for(card, BuildOptions().language({2, 0})),
                    "build of k.cl for old card: the device lacks OpenCL C 2.0; it has 1.1, 1.2, 3.0");
  CHECK_THROWS_AS(options_for(card, BuildOptions().language({3, 1})), Unsupported);
  CHECK_THROWS_WITH(
      options_for(card, BuildOptions{{"N", 3}}.set(BuildFlag::correctly_rounded_divide_sqrt)),
      "build of k.cl with N=3 for old card: the device lacks correctly_rounded_divide_sqrt; build without it");
}

TEST_CASE("a device that tells no versions of OpenCL C is given the one asked for", "[program][compiler_options]") {
  const Device card(std::make_shared<detail::DeviceRecord>());

  CHECK(options_for(card, BuildOptions().language({2, 0})) == "-cl-kernel-arg-info -cl-std=CL2.0");
}

TEST_CASE("each option that a device has leads to a build with a right result", "[program][compiler_options]") {
  const std::string source = "kernel void k(global float* x) { x[0] = x[1] * x[2] + 1.0f; }\n";
  test::for_each_device([&](test::Rig& rig) {
    const auto result = [&](const BuildOptions& options) {
      Buffer<float> x(rig.context, std::vector<float>{0, 2, 3});
      launch(rig.queue, Kernel(rig.context, source, "k", options), 1, x);
      return to_host(x).front();
    };
    for (const BuildFlag flag : kFlags) {
      if (flag == BuildFlag::correctly_rounded_divide_sqrt &&
          !rig.device.capabilities().correctly_rounded_divide_sqrt) {
        CHECK_THROWS_AS(result(BuildOptions().set(flag)), Unsupported);
        continue;
      }
      CAPTURE(static_cast<int>(flag));
      CHECK(result(BuildOptions().set(flag)) == 7);
    }
    CHECK(result(BuildOptions().warnings(Warnings::off)) == 7);
    CHECK(result(BuildOptions().warnings(Warnings::errors)) == 7);
    CHECK(result(all_of(rig.device, false)) == 7);
  });
}

TEST_CASE("a language is the one that the kernel sees, or Unsupported", "[program][compiler_options]") {
  test::for_each_device([](test::Rig& rig) {
    for (const Version& version : {Version{1, 1}, Version{1, 2}, Version{2, 0}, Version{3, 0}, Version{3, 1}}) {
      CAPTURE(rig.device.name(), version.major, version.minor);
      const Kernel kernel(rig.context, kVersionSource, "k", BuildOptions().language(version));
      Buffer<int> x(rig.context, 1);
      if (has_language(rig.device, version)) {
        launch(rig.queue, kernel, 1, x);
        CHECK(to_host(x).front() == static_cast<int>(version.major * 100 + version.minor * 10));
      } else {
        CHECK_THROWS_AS(launch(rig.queue, kernel, 1, x), Unsupported);
      }
    }
  });
}

// The table's word on this, tried on the drivers at hand; see test_driver_faults.cpp.
TEST_CASE("warnings become errors, but where the table says that they stay", "[program][compiler_options]") {
  const Source source("#warning odd\nkernel void k(global int* x) { *x = 1; }\n", "odd.cl");
  test::for_each_device([&](test::Rig& rig) {
    CAPTURE(rig.device.name());
    const test::LogCapture log;
    const auto builds = [&](Warnings warnings) {
      const Kernel kernel(rig.context, source, "k", BuildOptions().warnings(warnings));
      Buffer<int> x(rig.context, 1);
      try {
        launch(rig.queue, kernel, 1, x);
      } catch (const BuildError&) {
        return false;
      }
      return to_host(x).front() == 1;
    };
    const bool stay = rig.device.record().faults.warnings_stay;

    CHECK(builds(Warnings::logged));
    CHECK(builds(Warnings::off));
    CHECK(log.count(LogLevel::warn) == 0);
    CHECK(builds(Warnings::errors) == stay);
    CHECK(log.count(LogLevel::warn) == (stay ? 1 : 0));
  });
}
