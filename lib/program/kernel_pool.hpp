/// \file  Native kernels ready for use. Layer 3 (program).
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "context/lifetime.hpp"
#include "device/check.hpp"

namespace anycl::detail {

/// Lends `cl_kernel` objects of one function, each to one launch at a time, since setting arguments is not thread-safe
/// and making one per launch is slow. Holds as many as there were launches at once. The common case, one thread, costs
/// two exchanges of one slot.
class KernelPool {
 public:
  KernelPool(cl_program program, std::string name, const Lifetime& lifetime)
      : lifetime_(lifetime), program_(program), name_(std::move(name)) {}
  /// Releases all kernels, or forgets them where drivers must not be called. None may be lent.
  ~KernelPool();
  KernelPool(const KernelPool&) = delete;
  KernelPool& operator=(const KernelPool&) = delete;

  [[nodiscard]] cl_kernel take() {
    // Not an atomic addition: a lost count does no harm, and this is the launch path.
    uses_.store(uses_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (cl_kernel kernel = hot_.exchange(nullptr, std::memory_order_acquire)) return kernel;
    return take_slowly();
  }

  void give(cl_kernel kernel) noexcept {
    kernel = hot_.exchange(kernel, std::memory_order_acq_rel);
    if (kernel != nullptr) keep(kernel);
  }

  /// Changes while the kernel is in use.
  [[nodiscard]] std::uint64_t uses() const noexcept { return uses_.load(std::memory_order_relaxed); }

 private:
  cl_kernel take_slowly();
  void keep(cl_kernel kernel) noexcept;

  const Lifetime& lifetime_;
  cl_program program_;
  std::string name_;
  std::atomic<cl_kernel> hot_{nullptr};
  std::atomic<std::uint64_t> uses_{0};
  std::mutex mutex_;
  std::vector<cl_kernel> idle_;
};

/// A native kernel on loan from its pool.
class LentKernel {
 public:
  explicit LentKernel(KernelPool& pool) : pool_(pool), kernel_(pool.take()) {}
  ~LentKernel() { pool_.give(kernel_); }
  LentKernel(const LentKernel&) = delete;
  LentKernel& operator=(const LentKernel&) = delete;
  [[nodiscard]] cl_kernel get() const noexcept { return kernel_; }

 private:
  KernelPool& pool_;
  cl_kernel kernel_;
};

}  // namespace anycl::detail
