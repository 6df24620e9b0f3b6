#include "program/native_program.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <CL/cl_ext.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "device/check.hpp"
#include "device/device_record.hpp"
#include "program/spirv_module.hpp"

namespace anycl::detail {
namespace {

constexpr std::string_view kLanguage = "SPIR-V";

std::span<const std::byte> bytes_of(const CompilerInput& input) {
  return std::as_bytes(std::span(input.bytes.data(), input.bytes.size()));
}

[[noreturn]] void refuse(const Device& device, const CompilerInput& input, std::string_view why) {
  throw Unsupported(fmt::format("build of {} for {}: {}", input.label, device.name(), why));
}

void check_takes_module(const Device& device, const CompilerInput& input) {
  const auto& languages = device.capabilities().intermediate_languages;
  const NamedVersion wanted{std::string(kLanguage), spirv_version(bytes_of(input))};
  if (std::find(languages.begin(), languages.end(), wanted) != languages.end()) return;
  std::vector<std::string> has;
  for (const auto& [name, version] : languages)
    if (name == kLanguage) has.push_back(fmt::format("{}.{}", version.major, version.minor));
  if (has.empty()) refuse(device, input, "the device takes no SPIR-V modules; give the source");
  refuse(device, input,
         fmt::format("the device takes no SPIR-V {}.{}; it takes {}", wanted.version.major, wanted.version.minor,
                     fmt::join(has, ", ")));
}

/// The extension's function, of drivers before OpenCL 2.1; null when there is none.
clCreateProgramWithILKHR_fn extension_function(const Device& device) {
  return reinterpret_cast<clCreateProgramWithILKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(device.record().platform, "clCreateProgramWithILKHR"));
}

cl::Program from_module(cl_context context, const Device& device, const CompilerInput& input) {
  check_takes_module(device, input);
  constexpr Version kFirstWithFunction{2, 1};
  const auto module = bytes_of(input);
  cl_int code = CL_INVALID_OPERATION;
  cl_program program = nullptr;
  if (device.capabilities().opencl >= kFirstWithFunction) {
    program = clCreateProgramWithIL(context, module.data(), module.size(), &code);
  } else if (const auto create = extension_function(device); create != nullptr) {
    program = create(context, module.data(), module.size(), &code);
  }
  check_cl(code, "clCreateProgramWithIL", input.name);
  return cl::Program(program);
}

cl::Program from_source(cl_context context, const CompilerInput& input) {
  const char* text = input.bytes.data();
  const size_t size = input.bytes.size();
  cl_int code = CL_SUCCESS;
  cl::Program program(clCreateProgramWithSource(context, 1, &text, &size, &code));
  check_cl(code, "clCreateProgramWithSource", input.name);
  return program;
}

}  // namespace

cl::Program make_native_program(cl_context context, const Device& device, const CompilerInput& input) {
  return input.is_module ? from_module(context, device, input) : from_source(context, input);
}

}  // namespace anycl::detail
