#include "device/trial_build.hpp"

#include <string_view>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/plain_line.hpp"
#include "device/device_record.hpp"
#include "device/entry_points.hpp"
#include "device/info.hpp"

namespace anycl::detail {
namespace {

constexpr std::string_view kSource = "kernel void anycl_trial(global int* x) { x[get_global_id(0)] = 1; }\n";

std::string failure(std::string_view call, cl_int code) {
  return fmt::format("{} gives {}", call, describe_code(code));
}

/// Where the compiler says nothing, the code must do.
std::string build_failure(const cl::Program& program, cl_device_id device, cl_int code) {
  const std::string log = read_text(info(&clGetProgramBuildInfo, program(), device, CL_PROGRAM_BUILD_LOG)).value_or("");
  const std::string line = plain_line(std::string_view(log).substr(0, log.find('\n')));
  return line.empty() ? failure("clBuildProgram", code) : fmt::format("{}: {}", failure("clBuildProgram", code), line);
}

}  // namespace

std::string try_compiler(const Device& device) {
  const cl_device_id id = device.record().device;
  cl_int code = CL_SUCCESS;
  const cl::Context context(clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return failure("clCreateContext", code);
  const char* text = kSource.data();
  const size_t size = kSource.size();
  const cl::Program program(clCreateProgramWithSource(context(), 1, &text, &size, &code));
  if (code != CL_SUCCESS) return failure("clCreateProgramWithSource", code);
  code = clBuildProgram(program(), 1, &id, "", nullptr, nullptr);
  if (code != CL_SUCCESS) return build_failure(program, id, code);
  const cl::Kernel kernel(clCreateKernel(program(), "anycl_trial", &code));
  return code == CL_SUCCESS ? std::string() : failure("clCreateKernel", code);
}

}  // namespace anycl::detail
