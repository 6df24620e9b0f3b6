#include "device/sub_device.hpp"

#include <atomic>
#include <cstdlib>
#include <utility>

#include "device/check.hpp"

namespace anycl::detail {
namespace {

constinit std::atomic<bool> process_ending{false};

}  // namespace

SubDevice::~SubDevice() {
  const bool abandoned =
      process_ending.load(std::memory_order_acquire) || os::thread_is_ending() || os::fork_generation() != born_in_;
  if (handle_ != nullptr && at_end_ == AtEnd::release && !abandoned) ANYCL_CL_NOTHROW(clReleaseDevice(handle_));
}

SubDevice::SubDevice(SubDevice&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), at_end_(other.at_end_), born_in_(other.born_in_) {}

/// The flag rises before the driver's own exit handlers, since they were registered earlier. Those that a driver registers
/// later run before ours, but not before the main thread's end.
void SubDevice::watch_process_end() {
  static const bool watched = std::atexit([] { process_ending.store(true, std::memory_order_release); }) == 0;
  static_cast<void>(watched);
  os::watch_main_thread();
}

}  // namespace anycl::detail
