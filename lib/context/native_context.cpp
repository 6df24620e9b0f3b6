#include "context/native_context.hpp"

#include "anycl/base/error.hpp"
#include "device/check.hpp"
#include "device/device_record.hpp"

namespace anycl::detail {

std::atomic<bool> Lifetime::process_ending{false};

void Lifetime::throw_unusable() const {
  if (forked())
    throw UsedAfterFork("context used in a forked child, where drivers do not work: start the child with exec");
  throw Cancelled(closed() ? "context is closed" : "the process is ending: no more work can begin");
}

NativeContext::~NativeContext() { release(handle_, *lifetime_); }

cl_context NativeContext::handle() {
  const std::lock_guard lock(mutex_);
  if (handle_() != nullptr) return handle_();
  std::vector<cl_device_id> ids;
  for (const Device& device : devices_) ids.push_back(device.record().device);
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(devices_.front().record().platform), 0};
  cl_int code = CL_SUCCESS;
  handle_() = clCreateContext(properties, static_cast<cl_uint>(ids.size()), ids.data(), nullptr, nullptr, &code);
  check_cl(code, "clCreateContext", devices_.front().platform_name());
  return handle_();
}

}  // namespace anycl::detail
