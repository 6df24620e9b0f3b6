/// \file  A kernel object: a kernel of a program, and the arguments that were set last.
#pragma once

#include <memory>
#include <vector>

#include "memory.hpp"
#include "program.hpp"

namespace anycl::stub {

/// An argument as clSetKernelArg leaves it. A memory object is not retained: it must live when the kernel is enqueued.
struct SetArgument {
  bool is_set = false;
  BoundArgument value;
  cl_mem memory = nullptr;
};

/// As OpenCL has it, a kernel object is not for several threads at once: there is no lock.
class Kernel : public Object {
 public:
  using Handle = cl_kernel;
  static constexpr ObjectKind kKind{"kernel", 0x6b65726e656c2121, CL_INVALID_KERNEL};

  Kernel(Ref<Program> its_program, std::shared_ptr<const BuiltKernel> its_code);
  ~Kernel();

  const Ref<Program> program;
  const std::shared_ptr<const BuiltKernel> code;
  std::vector<SetArgument> arguments;

  /// \throws Failure  CL_INVALID_ARG_INDEX, CL_INVALID_ARG_SIZE, CL_INVALID_ARG_VALUE, CL_INVALID_MEM_OBJECT
  void set(cl_uint index, std::size_t size, const void* value);

  /// Of its own arrays and of its arguments.
  [[nodiscard]] std::size_t local_bytes() const noexcept;
};

}  // namespace anycl::stub
