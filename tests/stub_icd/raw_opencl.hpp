/// \file  OpenCL as a program without anycl sees it: through the loader.
#pragma once

#include <CL/cl_icd.h>

#include <string>
#include <vector>

namespace anycl::test {

/// The loader's own entries, for those that the stub has.
[[nodiscard]] const cl_icd_dispatch& cl();

/// Makes the platforms of this process, and of children that inherit its environment, a set of stubs, each named like its
/// settings; see raw_opencl.cpp. Before the first OpenCL call.
void show_stubs();

/// The platform of that name among them. Throws when there is none.
[[nodiscard]] cl_platform_id platform_named(const std::string& name);

[[nodiscard]] std::string platform_name(cl_platform_id platform);
[[nodiscard]] std::vector<cl_platform_id> platforms();
[[nodiscard]] std::vector<cl_device_id> devices_of(cl_platform_id platform);

/// The usual objects on the first device of a stub.
class RawRig {
 public:
  explicit RawRig(const std::string& stub = "plain",
                  cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE);
  ~RawRig();
  RawRig(const RawRig&) = delete;
  RawRig& operator=(const RawRig&) = delete;

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  // What is made here is released with the rig.
  [[nodiscard]] cl_mem buffer(std::size_t size_bytes, cl_mem_flags flags = CL_MEM_READ_WRITE);
  [[nodiscard]] cl_program program(const char* source);                  ///< not built
  [[nodiscard]] cl_kernel kernel(const char* source, const char* name);  ///< its program is built
  [[nodiscard]] cl_event user_event();

  /// Builds, and gives the code.
  [[nodiscard]] cl_int build(cl_program program) const;
  [[nodiscard]] std::string build_log(cl_program program) const;
  [[nodiscard]] static cl_int status_of(cl_event event);

  /// Enqueues a one-dimensional range.
  [[nodiscard]] cl_int enqueue(cl_kernel kernel, std::size_t size, cl_event* event = nullptr,
                               const std::vector<cl_event>& waits = {}) const;

 private:
  std::vector<cl_mem> buffers_;
  std::vector<cl_program> programs_;
  std::vector<cl_kernel> kernels_;
  std::vector<cl_event> events_;
};

/// Sets the arguments from the first on.
template <class... Args>
[[nodiscard]] cl_int set_arguments(cl_kernel kernel, const Args&... args) {
  cl_uint index = 0;
  cl_int code = CL_SUCCESS;
  ((code = code != CL_SUCCESS ? code : cl().clSetKernelArg(kernel, index++, sizeof args, &args)), ...);
  return code;
}

}  // namespace anycl::test
