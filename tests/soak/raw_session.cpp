#include "soak/raw_session.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "anycl/interop/opencl.hpp"
#include "support/raw.hpp"
#include "support/work.hpp"

namespace anycl::test {
namespace {

using Binary = std::vector<unsigned char>;

Binary built_binary(cl_device_id device) {
  const cl_context context = RAW(clCreateContext)(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const char* source = kWorkSource;
  const cl_program program = RAW(clCreateProgramWithSource)(context, 1, &source, nullptr, nullptr);
  REQUIRE(RAW(clBuildProgram)(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS);
  size_t size = 0;
  REQUIRE(RAW(clGetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS);
  Binary binary(size);
  unsigned char* bytes = binary.data();
  REQUIRE(RAW(clGetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) == CL_SUCCESS);
  RAW(clReleaseProgram)(program);
  RAW(clReleaseContext)(context);
  return binary;
}

const Binary& binary_for(cl_device_id device) {
  static std::map<cl_device_id, Binary> binaries;
  const auto [found, fresh] = binaries.try_emplace(device);
  if (fresh) found->second = built_binary(device);
  return found->second;
}

}  // namespace

RawSession::RawSession(const Device& device, bool profiling) {
  const cl_device_id id = interop::native_device(device);
  const Binary& binary = binary_for(id);
  const unsigned char* bytes = binary.data();
  const size_t size = binary.size();
  std::vector<std::uint32_t> contents(8, 0);
  const std::array<cl_queue_properties, 3> properties{CL_QUEUE_PROPERTIES, profiling ? CL_QUEUE_PROFILING_ENABLE : 0u,
                                                      0};
  const cl_uint one = 1, elements = static_cast<cl_uint>(contents.size());

  context_ = RAW(clCreateContext)(nullptr, 1, &id, nullptr, nullptr, nullptr);
  queue_ = RAW(clCreateCommandQueueWithProperties)(context_, id, properties.data(), nullptr);
  buffer_ = RAW(clCreateBuffer)(context_, CL_MEM_COPY_HOST_PTR, sizeof one * contents.size(), contents.data(), nullptr);
  program_ = RAW(clCreateProgramWithBinary)(context_, 1, &id, &size, &bytes, nullptr, nullptr);
  REQUIRE(RAW(clBuildProgram)(program_, 1, &id, "", nullptr, nullptr) == CL_SUCCESS);
  kernel_ = RAW(clCreateKernel)(program_, "advance", nullptr);
  REQUIRE(RAW(clSetKernelArg)(kernel_, 0, sizeof buffer_, &buffer_) == CL_SUCCESS);
  REQUIRE(RAW(clSetKernelArg)(kernel_, 1, sizeof one, &one) == CL_SUCCESS);
  REQUIRE(RAW(clSetKernelArg)(kernel_, 2, sizeof one, &one) == CL_SUCCESS);
  REQUIRE(RAW(clSetKernelArg)(kernel_, 3, sizeof elements, &elements) == CL_SUCCESS);
}

RawSession::~RawSession() {
  RAW(clReleaseKernel)(kernel_);
  RAW(clReleaseProgram)(program_);
  RAW(clReleaseMemObject)(buffer_);
  RAW(clReleaseCommandQueue)(queue_);
  RAW(clReleaseContext)(context_);
}

void RawSession::launch(int times) {
  const size_t size = 8;
  for (int i = 0; i < times; ++i) {
    cl_event event = nullptr;
    RAW(clEnqueueNDRangeKernel)(queue_, kernel_, 1, nullptr, &size, nullptr, 0, nullptr, &event);
    RAW(clReleaseEvent)(event);
    if (i % 1000 == 999) RAW(clFinish)(queue_);
  }
  REQUIRE(RAW(clFinish)(queue_) == CL_SUCCESS);
}

}  // namespace anycl::test
