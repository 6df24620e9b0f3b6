#include "anycl/interop/opencl.hpp"

#include "context/context_core.hpp"
#include "context/event_state.hpp"
#include "context/queue_core.hpp"
#include "device/device_record.hpp"

namespace anycl::interop {

cl_platform_id native_platform(const Device& device) noexcept { return device.record().platform; }

cl_device_id native_device(const Device& device) noexcept { return device.record().device; }

cl_context native_context(Context& context, const Device& device) {
  auto& core = *context.core();
  return core.native_of(core.index_of(device))->handle();
}

cl_command_queue native_queue(const Queue& queue) noexcept { return queue.core()->native(); }

cl_event native_event(const Event& event) noexcept {
  return event.state() != nullptr ? event.state()->native() : nullptr;
}

}  // namespace anycl::interop
