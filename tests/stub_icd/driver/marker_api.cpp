// Markers and barriers, of OpenCL 1.2 and before.
#include "dispatch.hpp"
#include "entry.hpp"
#include "queue.hpp"

namespace anycl::stub {
namespace {

void enqueue_marker(cl_command_queue handle, cl_command_type type, cl_uint count, const cl_event* waits,
                    cl_event* event) {
  Queue& queue = object_of<Queue>(handle);
  Ref<Event> marker = queue.enqueue_marker(type, read_wait_list(*queue.context, count, waits));
  if (event != nullptr) *event = publish(std::move(marker));
}

}  // namespace

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] { enqueue_marker(queue, CL_COMMAND_MARKER, count, waits, event); });
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] { enqueue_marker(queue, CL_COMMAND_BARRIER, count, waits, event); });
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event* event) {
  return serve([&] {
    require(event != nullptr, CL_INVALID_VALUE);
    enqueue_marker(queue, CL_COMMAND_MARKER, 0, nullptr, event);
  });
}

cl_int clEnqueueBarrier(cl_command_queue queue) {
  return serve([&] { enqueue_marker(queue, CL_COMMAND_BARRIER, 0, nullptr, nullptr); });
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event* events) {
  return serve([&] {
    require(count != 0 && events != nullptr, CL_INVALID_VALUE);
    enqueue_marker(queue, CL_COMMAND_BARRIER, count, events, nullptr);
  });
}

}  // namespace anycl::stub
