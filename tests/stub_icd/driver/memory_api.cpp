// Memory objects.
#include <algorithm>

#include "dispatch.hpp"
#include "entry.hpp"
#include "memory.hpp"

namespace anycl::stub {
namespace {

constexpr cl_mem_flags kDeviceAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kPlacement = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool at_most_one(cl_mem_flags flags, cl_mem_flags of) { return ((flags & of) & ((flags & of) - 1)) == 0; }

void check_flags(cl_mem_flags flags, const void* host_pointer) {
  require((flags & ~(kDeviceAccess | kHostAccess | kPlacement)) == 0, CL_INVALID_VALUE);
  require(at_most_one(flags, kDeviceAccess) && at_most_one(flags, kHostAccess), CL_INVALID_VALUE);
  const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
  require(!uses || (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0, CL_INVALID_VALUE);
  const bool needs = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  require(needs == (host_pointer != nullptr), CL_INVALID_HOST_PTR);
}

std::uint64_t largest_allocation(const Context& context) {
  std::uint64_t largest = 0;
  for (const Ref<Device>& device : context.devices) largest = std::max(largest, device->model.max_allocation_mib << 20);
  return largest;
}

cl_mem create_buffer(cl_context handle, cl_mem_flags flags, std::size_t size, void* host_pointer) {
  Context& context = object_of<Context>(handle);
  check_flags(flags, host_pointer);
  require(size != 0 && size <= largest_allocation(context), CL_INVALID_BUFFER_SIZE);
  if ((flags & kDeviceAccess) == 0) flags |= CL_MEM_READ_WRITE;
  return publish(make<Memory>(Ref(context), flags, size, host_pointer));
}

cl_mem create_part(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type, const void* info) {
  Memory& whole = object_of<Memory>(handle);
  require(!whole.parent, CL_INVALID_MEM_OBJECT);
  require(type == CL_BUFFER_CREATE_TYPE_REGION && info != nullptr && (flags & kPlacement) == 0, CL_INVALID_VALUE);
  const auto& region = *static_cast<const cl_buffer_region*>(info);
  require(region.size != 0, CL_INVALID_BUFFER_SIZE);
  require(region.origin <= whole.size_bytes && region.size <= whole.size_bytes - region.origin, CL_INVALID_VALUE);
  require(region.origin % 128 == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  const cl_mem_flags inherited = (flags & kDeviceAccess) != 0 ? 0 : whole.flags & kDeviceAccess;
  return publish(make<Memory>(Ref(whole), flags | inherited, region.origin, region.size));
}

void answer_memory(const Memory& memory, cl_mem_info what, const Answer& answer) {
  switch (what) {
    case CL_MEM_TYPE:
      return answer.value<cl_mem_object_type>(CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS:
      return answer.value(memory.flags);
    case CL_MEM_SIZE:
      return answer.value(memory.size_bytes);
    case CL_MEM_HOST_PTR:
      return answer.value(memory.host_pointer());
    case CL_MEM_MAP_COUNT:
      return answer.value(memory.mappings());
    case CL_MEM_REFERENCE_COUNT:
      return answer.value(memory.references());
    case CL_MEM_CONTEXT:
      return answer.value(handle_of(*memory.context));
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return answer.value<cl_mem>(memory.parent ? handle_of(*memory.parent) : nullptr);
    case CL_MEM_OFFSET:
      return answer.value(memory.origin);
    case CL_MEM_USES_SVM_POINTER:
      return answer.flag(false);
    case CL_MEM_PROPERTIES:
      return answer.list(std::vector<cl_mem_properties>{});
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

}  // namespace

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_pointer, cl_int* code) {
  return serve_object(code, [&] { return create_buffer(context, flags, size, host_pointer); });
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                    size_t size, void* host_pointer, cl_int* code) {
  return serve_object(code, [&] {
    require(properties == nullptr || *properties == 0, CL_INVALID_PROPERTY);
    return create_buffer(context, flags, size, host_pointer);
  });
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void* info,
                         cl_int* code) {
  return serve_object(code, [&] { return create_part(buffer, flags, type, info); });
}

cl_int clRetainMemObject(cl_mem memory) { return retain<Memory>(memory); }
cl_int clReleaseMemObject(cl_mem memory) { return release<Memory>(memory); }

cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_memory(object_of<Memory>(memory), what, {size, value, size_ret}); });
}

cl_int clSetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK* notify)(cl_mem, void*), void* data) {
  return serve([&] {
    require(notify != nullptr, CL_INVALID_VALUE);
    object_of<Memory>(memory).destructor_callbacks.add(notify, data);
  });
}

// The devices have no images: the list is empty.
cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type, cl_uint, cl_image_format*,
                                  cl_uint* count) {
  return serve([&] {
    static_cast<void>(object_of<Context>(context));
    if (count != nullptr) *count = 0;
  });
}

}  // namespace anycl::stub
