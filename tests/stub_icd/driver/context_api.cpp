// Contexts.
#include "context.hpp"
#include "dispatch.hpp"
#include "entry.hpp"

namespace anycl::stub {
namespace {

/// The list with its ending zero; empty for none.
std::vector<cl_context_properties> read_properties(const cl_context_properties* properties) {
  std::vector<cl_context_properties> list;
  for (; properties != nullptr && *properties != 0; properties += 2) {
    require(*properties == CL_CONTEXT_PLATFORM || *properties == CL_CONTEXT_INTEROP_USER_SYNC, CL_INVALID_PROPERTY);
    if (*properties == CL_CONTEXT_PLATFORM)
      static_cast<void>(object_of<Platform>(reinterpret_cast<cl_platform_id>(properties[1])));
    list.insert(list.end(), {properties[0], properties[1]});
  }
  if (properties != nullptr) list.push_back(0);
  return list;
}

const Platform& platform_of(const std::vector<cl_context_properties>& properties) {
  for (std::size_t i = 0; i + 1 < properties.size(); i += 2)
    if (properties[i] == CL_CONTEXT_PLATFORM)
      return object_of<Platform>(reinterpret_cast<cl_platform_id>(properties[i + 1]));
  return *machine().platforms.front();
}

using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

cl_context create_context(const cl_context_properties* properties, cl_uint count, const cl_device_id* ids,
                          Notify notify, void* data) {
  auto list = read_properties(properties);
  require(count != 0 && ids != nullptr, CL_INVALID_VALUE);
  require(notify != nullptr || data == nullptr, CL_INVALID_VALUE);
  std::vector<Ref<Device>> devices;
  for (cl_uint i = 0; i < count; ++i) devices.emplace_back(object_of<Device>(ids[i]));
  for (const Ref<Device>& device : devices) require(&device->platform == &devices.front()->platform, CL_INVALID_DEVICE);
  return publish(make<Context>(std::move(devices), std::move(list)));
}

void answer_context(const Context& context, cl_context_info what, const Answer& answer) {
  switch (what) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return answer.value(context.references());
    case CL_CONTEXT_NUM_DEVICES:
      return answer.value(static_cast<cl_uint>(context.devices.size()));
    case CL_CONTEXT_DEVICES: {
      std::vector<cl_device_id> ids;
      for (const Ref<Device>& device : context.devices) ids.push_back(handle_of(*device));
      return answer.list(ids);
    }
    case CL_CONTEXT_PROPERTIES:
      return answer.list(context.properties);
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

}  // namespace

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
                           Notify notify, void* data, cl_int* code) {
  return serve_object(code, [&] { return create_context(properties, count, devices, notify, data); });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type type, Notify notify,
                                   void* data, cl_int* code) {
  return serve_object(code, [&] {
    const cl_platform_id platform = handle_of(platform_of(read_properties(properties)));
    cl_uint count = 0;
    const cl_int found = stub::clGetDeviceIDs(platform, type, 0, nullptr, &count);
    require(found == CL_SUCCESS, found);
    std::vector<cl_device_id> ids(count);
    static_cast<void>(stub::clGetDeviceIDs(platform, type, count, ids.data(), nullptr));
    return create_context(properties, count, ids.data(), notify, data);
  });
}

cl_int clRetainContext(cl_context context) { return retain<Context>(context); }
cl_int clReleaseContext(cl_context context) { return release<Context>(context); }

cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_context(object_of<Context>(context), what, {size, value, size_ret}); });
}

cl_int clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK* notify)(cl_context, void*), void* data) {
  return serve([&] {
    require(notify != nullptr, CL_INVALID_VALUE);
    object_of<Context>(context).destructor_callbacks.add(notify, data);
  });
}

}  // namespace anycl::stub
