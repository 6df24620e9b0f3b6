// One process from its start to a first result, with nothing but OpenCL: the first device, a program from the binary in
// the file that is named, one launch, one blocking read. Where there is no such file it builds from source, and leaves the
// binary as it is after the launch. Any failure ends it: it is what somebody writes who cares for speed alone.
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "first_result.hpp"
#include "six_kernels.hpp"

namespace {

void need(cl_int code) {
  if (code != CL_SUCCESS) std::exit(1);
}

std::vector<unsigned char> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void keep_binary(cl_program program, const char* path) {
  std::size_t size = 0;
  need(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  need(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(binary.data()), static_cast<long>(size));
}

cl_program make_program(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary) {
  cl_int code = CL_SUCCESS;
  const std::size_t size = binary.size();
  const unsigned char* bytes = binary.data();
  const char* source = kSixKernels;
  cl_program program = size != 0 ? clCreateProgramWithBinary(context, 1, &device, &size, &bytes, nullptr, &code)
                                 : clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  need(code);
  need(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  return program;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  need(clGetPlatformIDs(1, &platform, nullptr));
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  need(code);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  need(code);
  const auto binary = read_file(words[1]);
  cl_program program = make_program(context, device, binary);
  cl_kernel kernel = clCreateKernel(program, "magnitude", &code);
  need(code);

  std::vector<Pair> pairs(kItems, Pair{3.0f, 4.0f});
  cl_mem from =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kItems * sizeof(Pair), pairs.data(), &code);
  need(code);
  cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(float), nullptr, &code);
  need(code);
  const cl_int items = kItems;
  need(clSetKernelArg(kernel, 0, sizeof from, &from));
  need(clSetKernelArg(kernel, 1, sizeof to, &to));
  need(clSetKernelArg(kernel, 2, sizeof items, &items));
  need(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr));
  std::vector<float> result(kItems);
  need(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, kItems * sizeof(float), result.data(), 0, nullptr, nullptr));
  std::printf("%g\n", static_cast<double>(result.back()));
  if (binary.empty()) keep_binary(program, words[1]);

  clReleaseMemObject(to);
  clReleaseMemObject(from);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
