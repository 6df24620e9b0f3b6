#include "oclgrind/launch_log.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/faults.hpp"

namespace anycl::test {
namespace {

std::string function_name(cl_kernel kernel) {
  std::size_t size = 0;
  real_driver().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  real_driver().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  name.resize(size - 1);  // without the zero that ends it
  return name;
}

std::string program_source(cl_kernel kernel) {
  cl_program program = nullptr;
  std::size_t size = 0;
  real_driver().clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
  real_driver().clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size);
  std::string source(size, '\0');
  real_driver().clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source.data(), nullptr);
  return source;
}

/// The library hands sources on as lines `#define NAME VALUE`, then `#line 1 "FILE"`, then the file.
std::string launch_line(cl_kernel kernel) {
  std::istringstream source(program_source(kernel));
  std::string directive, first, second, defines;
  while (source >> directive >> first >> second && directive == "#define") defines += ' ' + first + '=' + second;
  const std::string file = directive == "#line" && second.size() > 2 ? second.substr(1, second.size() - 2) : "unnamed";
  return file + ' ' + function_name(kernel) + defines;
}

/// Each line once: a test launches the same build many times.
void note_launch(cl_kernel kernel) {
  static std::set<std::string> noted;
  const char* path = std::getenv("ANYCL_LAUNCH_LOG");
  if (path == nullptr) return;
  const std::string line = launch_line(kernel);
  if (noted.insert(line).second) std::ofstream(path, std::ios::app) << line << '\n';
}

/// Two events pass Oclgrind 21.10 by where it looks for uninitialised values, and true values look false after them. So
/// they do not happen there:
/// - Queue::executeFillBuffer does not tell of a store by the host, as writes do. Fills are played as writes.
/// - Uninitialized.cpp keeps what it knows of a released buffer; the next one with its number, of another size, takes it
///   over. No buffer is released.
cl_int fill_by_write(cl_command_queue queue, cl_mem buffer, const void* pattern, std::size_t pattern_size,
                     std::size_t offset, std::size_t size, cl_uint wait_count, const cl_event* waits, cl_event* event) {
  std::vector<std::byte> contents(size);
  for (std::size_t i = 0; i < size; i += pattern_size) std::memcpy(contents.data() + i, pattern, pattern_size);
  return real_driver().clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, size, contents.data(), wait_count, waits,
                                            event);
}

cl_int keep_buffer(cl_mem) { return CL_SUCCESS; }

void watch(detail::EntryPoints& table) {
  table.clEnqueueNDRangeKernel = [](cl_command_queue a, cl_kernel kernel, cl_uint b, const size_t* c, const size_t* d,
                                    const size_t* e, cl_uint f, const cl_event* g, cl_event* h) -> cl_int {
    note_launch(kernel);
    return real_driver().clEnqueueNDRangeKernel(a, kernel, b, c, d, e, f, g, h);
  };
  if (std::getenv("OCLGRIND_UNINITIALIZED") == nullptr) return;
  table.clEnqueueFillBuffer = fill_by_write;
  table.clReleaseMemObject = keep_buffer;
}

}  // namespace

void on_oclgrind(const std::function<void(Rig&)>& body) {
  const Faults faults(watch);
  Context context(discover().devices());
  REQUIRE(context.device(0).platform_alias() == "oclgrind");
  Queue queue(context, context.device(0));
  Rig rig{context, queue, context.device(0)};
  body(rig);
}

}  // namespace anycl::test
