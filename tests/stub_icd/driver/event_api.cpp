// Events.
#include "dispatch.hpp"
#include "entry.hpp"
#include "event.hpp"
#include "queue.hpp"

namespace anycl::stub {
namespace {

void answer_event(const Event& event, cl_event_info what, const Answer& answer) {
  switch (what) {
    case CL_EVENT_COMMAND_QUEUE:
      return answer.value<cl_command_queue>(event.queue ? handle_of(*event.queue) : nullptr);
    case CL_EVENT_CONTEXT:
      return answer.value(handle_of(*event.context));
    case CL_EVENT_COMMAND_TYPE:
      return answer.value(event.type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
      return answer.value(event.status());
    case CL_EVENT_REFERENCE_COUNT:
      return answer.value(event.references());
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

}  // namespace

cl_event clCreateUserEvent(cl_context context, cl_int* code) {
  return serve_object(code, [&] { return publish(make<Event>(Ref(object_of<Context>(context)))); });
}

cl_int clSetUserEventStatus(cl_event event, cl_int status) {
  return serve([&] {
    const Ref<Event> target(object_of<Event>(event));
    require(!target->queue, CL_INVALID_EVENT);
    require(status <= CL_COMPLETE, CL_INVALID_VALUE);
    require(target->end(status), CL_INVALID_OPERATION);
  });
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  return serve([&] {
    require(count != 0 && events != nullptr, CL_INVALID_VALUE);
    const Ref<Context> context = object_of<Event>(events[0]).context;
    wait_for(read_wait_list(*context, count, events));
  });
}

cl_int clRetainEvent(cl_event event) { return retain<Event>(event); }
cl_int clReleaseEvent(cl_event event) { return release<Event>(event); }

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_event(object_of<Event>(event), what, {size, value, size_ret}); });
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { Answer(size, value, size_ret).value(object_of<Event>(event).time_of(what)); });
}

cl_int clSetEventCallback(cl_event event, cl_int status, void(CL_CALLBACK* notify)(cl_event, cl_int, void*),
                          void* data) {
  return serve([&] {
    const Ref<Event> target(object_of<Event>(event));
    require(notify != nullptr && status >= CL_COMPLETE && status <= CL_SUBMITTED, CL_INVALID_VALUE);
    target->add_reference();  // the callback may use the event, though the program has released it
    target->listen(status, [event, notify, data](cl_int reached) {
      notify(event, reached, data);
      static_cast<void>(release<Event>(event, "clSetEventCallback"));
    });
  });
}

}  // namespace anycl::stub
