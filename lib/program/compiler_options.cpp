#include "program/compiler_options.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"
#include "device/device_record.hpp"

namespace anycl::detail {
namespace {

struct FlagOption {
  BuildFlag flag;
  std::string_view option;
};

// In the order that they are given in.
constexpr FlagOption kFlags[] = {
    {BuildFlag::fast_relaxed_math, "-cl-fast-relaxed-math"},
    {BuildFlag::unsafe_math, "-cl-unsafe-math-optimizations"},
    {BuildFlag::finite_math_only, "-cl-finite-math-only"},
    {BuildFlag::denorms_are_zero, "-cl-denorms-are-zero"},
    {BuildFlag::mad_enable, "-cl-mad-enable"},
    {BuildFlag::no_signed_zeros, "-cl-no-signed-zeros"},
    {BuildFlag::correctly_rounded_divide_sqrt, "-cl-fp32-correctly-rounded-divide-sqrt"},
    {BuildFlag::no_optimization, "-cl-opt-disable"},
};

std::string text_of(const Version& version) { return fmt::format("{}.{}", version.major, version.minor); }

void check_language(const BuildInput& input, const Device& device) {
  const auto& wanted = input.options().language();
  const auto& versions = device.capabilities().opencl_c_versions;
  // A device that tells none gets what is asked for, and its compiler has the word.
  if (!wanted || versions.empty() || std::find(versions.begin(), versions.end(), *wanted) != versions.end()) return;
  std::vector<std::string> has;
  for (const Version& version : versions) has.push_back(text_of(version));
  throw Unsupported(fmt::format("build of {} for {}: the device lacks OpenCL C {}; it has {}", input.label(),
                                device.name(), text_of(*wanted), fmt::join(has, ", ")));
}

void check_rounding(const BuildInput& input, const Device& device) {
  if (!input.options().has(BuildFlag::correctly_rounded_divide_sqrt) ||
      device.capabilities().correctly_rounded_divide_sqrt)
    return;
  throw Unsupported(fmt::format("build of {} for {}: the device lacks correctly_rounded_divide_sqrt; build without it",
                                input.label(), device.name()));
}

void tell_of_warnings_that_stay(const BuildInput& input, const Device& device) {
  if (input.options().warnings() == Warnings::errors && device.record().faults.warnings_stay)
    log::warn("build of {} for {}: this driver's compiler makes no errors of warnings", input.source().name(),
              device.name());
}

std::string_view option_of(Warnings warnings) {
  switch (warnings) {
    case Warnings::off:
      return "-w";
    case Warnings::errors:
      return "-Werror";
    case Warnings::logged:
      break;
  }
  return {};
}

}  // namespace

std::string compiler_options(const BuildInput& input, const Device& device) {
  check_language(input, device);
  check_rounding(input, device);
  tell_of_warnings_that_stay(input, device);
  const BuildOptions& wanted = input.options();
  const DriverFaults& faults = device.record().faults;
  // Argument information lets launches be checked; no driver keeps it without being asked to.
  std::string options = "-cl-kernel-arg-info";
  const auto add = [&options](std::string_view option) {
    if (!option.empty()) options.append(" ").append(option);
  };
  if (const auto& language = wanted.language()) add("-cl-std=CL" + text_of(*language));
  for (const auto& [flag, option] : kFlags)
    if (wanted.has(flag)) add(option);
  add(option_of(wanted.warnings()));
  if (faults.large_buffer_flag) add(faults.large_buffer_option);  // any program may get a large buffer
  return options;
}

}  // namespace anycl::detail
