/// \file  One driver's part of a context. Layer 2 (context).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "anycl/device/device.hpp"
#include "context/lifetime.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

class QueueCore;

/// One `cl_context` over the context's devices of one platform, or over one of them where sharing is a fault of the
/// driver. Made on first use.
class NativeContext : public std::enable_shared_from_this<NativeContext> {
 public:
  NativeContext(std::size_t index, std::vector<Device> devices, std::shared_ptr<Lifetime> lifetime)
      : index_(index), devices_(std::move(devices)), lifetime_(std::move(lifetime)) {}
  NativeContext(const NativeContext&) = delete;
  NativeContext& operator=(const NativeContext&) = delete;
  ~NativeContext();

  /// The driver's context; made by the first call. Any thread.
  [[nodiscard]] cl_context handle();

  /// Place among the native contexts of one anycl context.
  [[nodiscard]] std::size_t index() const noexcept { return index_; }
  [[nodiscard]] const std::vector<Device>& devices() const noexcept { return devices_; }
  [[nodiscard]] Lifetime& lifetime() const noexcept { return *lifetime_; }
  [[nodiscard]] const std::shared_ptr<Lifetime>& shared_lifetime() const noexcept { return lifetime_; }

 private:
  std::size_t index_;
  std::vector<Device> devices_;
  std::shared_ptr<Lifetime> lifetime_;
  std::mutex mutex_;
  cl::Context handle_;
};

/// Ends ownership of a native object: releases it, or just forgets it where drivers must not be called any more.
template <class Handle>
void release(Handle& handle, const Lifetime& lifetime) noexcept {
  if (lifetime.abandoned())
    handle() = nullptr;
  else
    handle = Handle();
}

}  // namespace anycl::detail
