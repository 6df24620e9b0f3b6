#include "program/kernel_pool.hpp"

namespace anycl::detail {

cl_kernel KernelPool::take_slowly() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      cl_kernel kernel = idle_.back();
      idle_.pop_back();
      return kernel;
    }
  }
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program_, name_.c_str(), &code);
  check_cl(code, "clCreateKernel", name_);
  return kernel;
}

void KernelPool::keep(cl_kernel kernel) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    idle_.push_back(kernel);
  } catch (const std::bad_alloc&) {
    ANYCL_CL_NOTHROW(clReleaseKernel(kernel));
  }
}

KernelPool::~KernelPool() {
  if (lifetime_.abandoned()) return;
  if (cl_kernel hot = hot_.load(std::memory_order_acquire)) ANYCL_CL_NOTHROW(clReleaseKernel(hot));
  for (cl_kernel kernel : idle_) ANYCL_CL_NOTHROW(clReleaseKernel(kernel));
}

}  // namespace anycl::detail
