// Command queues.
#include "dispatch.hpp"
#include "entry.hpp"
#include "queue.hpp"

namespace anycl::stub {
namespace {

constexpr cl_command_queue_properties kKnown = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

cl_command_queue create_queue(cl_context context_handle, cl_device_id device_handle,
                              cl_command_queue_properties properties, std::vector<cl_queue_properties> list) {
  Context& context = object_of<Context>(context_handle);
  Device& device = object_of<Device>(device_handle);
  require(context.has(device), CL_INVALID_DEVICE);
  require((properties & ~kKnown) == 0, CL_INVALID_VALUE);
  return publish(make<Queue>(Ref(context), Ref(device), properties, std::move(list)));
}

std::vector<cl_queue_properties> read_list(const cl_queue_properties* properties) {
  std::vector<cl_queue_properties> list;
  for (; properties != nullptr && *properties != 0; properties += 2)
    list.insert(list.end(), {properties[0], properties[1]});
  if (properties != nullptr) list.push_back(0);
  return list;
}

cl_command_queue_properties flags_of(const std::vector<cl_queue_properties>& list) {
  cl_command_queue_properties flags = 0;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    require(list[i] == CL_QUEUE_PROPERTIES, CL_INVALID_VALUE);
    flags = list[i + 1];
  }
  return flags;
}

void answer_queue(const Queue& queue, cl_command_queue_info what, const Answer& answer) {
  switch (what) {
    case CL_QUEUE_CONTEXT:
      return answer.value(handle_of(*queue.context));
    case CL_QUEUE_DEVICE:
      return answer.value(handle_of(*queue.device));
    case CL_QUEUE_REFERENCE_COUNT:
      return answer.value(queue.references());
    case CL_QUEUE_PROPERTIES:
      return answer.value(queue.properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
      return answer.list(queue.property_list);
    case CL_QUEUE_DEVICE_DEFAULT:
      return answer.value<cl_command_queue>(nullptr);
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

}  // namespace

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int* code) {
  return serve_object(code, [&] { return create_queue(context, device, properties, {}); });
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties, cl_int* code) {
  return serve_object(code, [&] {
    auto list = read_list(properties);
    const cl_command_queue_properties flags = flags_of(list);
    return create_queue(context, device, flags, std::move(list));
  });
}

cl_int clRetainCommandQueue(cl_command_queue queue) { return retain<Queue>(queue); }
cl_int clReleaseCommandQueue(cl_command_queue queue) { return release<Queue>(queue); }

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t size, void* value,
                             size_t* size_ret) {
  return serve([&] { answer_queue(object_of<Queue>(queue), what, {size, value, size_ret}); });
}

// Commands are on their way from the moment they are enqueued.
cl_int clFlush(cl_command_queue queue) {
  return serve([&] { static_cast<void>(object_of<Queue>(queue)); });
}

cl_int clFinish(cl_command_queue queue) {
  return serve([&] { object_of<Queue>(queue).finish(); });
}

}  // namespace anycl::stub
