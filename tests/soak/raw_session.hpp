/// \file  What the soak tests do with anycl, done in plain OpenCL: shows what a driver loses by itself.
#pragma once

#include <CL/cl.h>

#include "anycl/device/device.hpp"

namespace anycl::test {

/// A context with a queue, a buffer, and the kernel `advance` of support/work.hpp, made from the driver's own binary.
class RawSession {
 public:
  explicit RawSession(const Device& device, bool profiling = false);
  ~RawSession();
  RawSession(const RawSession&) = delete;
  RawSession& operator=(const RawSession&) = delete;

  /// So many launches, with a finish after every thousand; events are asked for and released at once.
  void launch(int times);

 private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_mem buffer_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

}  // namespace anycl::test
