/// \file  Ownership of a native sub-device. Layer 1 (device).
#pragma once

#include <cstdint>

#include "base/os_process.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

/// Gives its sub-device back to the driver at the end, unless drivers must not be called any more: while the process
/// ends, and in a forked child. What is not given back the system takes.
class SubDevice {
 public:
  enum class AtEnd { release, leave };

  /// Takes over the caller's reference. With `leave` it is never given back.
  SubDevice(cl_device_id handle, AtEnd at_end) noexcept : handle_(handle), at_end_(at_end) {}
  ~SubDevice();
  SubDevice(SubDevice&& other) noexcept;
  SubDevice& operator=(SubDevice&&) = delete;

  [[nodiscard]] cl_device_id handle() const noexcept { return handle_; }

  /// To be called once the driver is loaded and before it is asked for sub-devices.
  static void watch_process_end();

 private:
  cl_device_id handle_;
  AtEnd at_end_;
  std::uint32_t born_in_ = os::fork_generation();
};

}  // namespace anycl::detail
