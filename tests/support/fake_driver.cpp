#include "support/fake_driver.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace anycl::test {
namespace {

// Handles only need to be distinct and not null; nothing is ever read through them.
std::array<char, 8> places{};
template <class Handle>
Handle handle(std::size_t place) {
  return reinterpret_cast<Handle>(&places[place]);
}

cl_int give(const void* bytes, size_t available, size_t size, void* value, size_t* size_ret) {
  if (size_ret != nullptr) *size_ret = available;
  if (value == nullptr) return CL_SUCCESS;
  if (size < available) return CL_INVALID_VALUE;
  std::memcpy(value, bytes, available);
  return CL_SUCCESS;
}

cl_int give(std::string_view text, size_t size, void* value, size_t* size_ret) {
  return give(text.data(), text.size(), size, value, size_ret);
}

template <class T>
cl_int give_value(T number, size_t size, void* value, size_t* size_ret) {
  return give(&number, sizeof number, size, value, size_ret);
}

cl_int give_one(void* id, cl_uint size, void** ids, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (ids != nullptr && size > 0) *ids = id;
  return CL_SUCCESS;
}

cl_int device_info(cl_device_info what, size_t size, void* value, size_t* size_ret) {
  switch (what) {
    case CL_DEVICE_TYPE:
      return give_value<cl_device_type>(CL_DEVICE_TYPE_GPU, size, value, size_ret);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
      return give_value<cl_bool>(CL_TRUE, size, value, size_ret);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return give_value<cl_uint>(1, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return give_value<size_t>(1024, size, value, size_ret);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return give_value(std::array<size_t, 3>{1024, 1024, 64}, size, value, size_ret);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return give_value<cl_ulong>(32768, size, value, size_ret);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return give_value<cl_ulong>(cl_ulong{1} << 40, size, value, size_ret);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return give_value<size_t>(1, size, value, size_ret);
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
    case CL_DRIVER_VERSION:
      return give("fake", size, value, size_ret);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int argument_info(cl_uint index, cl_kernel_arg_info what, size_t size, void* value, size_t* size_ret) {
  const bool pointer = index < 2;
  switch (what) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return give_value<cl_uint>(pointer ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE, size, value,
                                 size_ret);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
      return give_value<cl_kernel_arg_type_qualifier>(index == 0 ? CL_KERNEL_ARG_TYPE_CONST : 0, size, value, size_ret);
    case CL_KERNEL_ARG_TYPE_NAME:
      return give(pointer ? "float*" : "uint", size, value, size_ret);
    case CL_KERNEL_ARG_NAME:
      return give(index == 0 ? "x" : index == 1 ? "y" : "n", size, value, size_ret);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int done(cl_event* event) {
  if (event != nullptr) *event = handle<cl_event>(6);
  return CL_SUCCESS;
}

template <class Handle>
Handle made(std::size_t place, cl_int* code) {
  if (code != nullptr) *code = CL_SUCCESS;
  return handle<Handle>(place);
}

void fill_objects(detail::EntryPoints& t) {
  t.clGetPlatformIDs = [](cl_uint size, cl_platform_id* ids, cl_uint* count) {
    return give_one(handle<void*>(0), size, reinterpret_cast<void**>(ids), count);
  };
  t.clGetPlatformInfo = [](cl_platform_id, cl_platform_info, size_t size, void* value, size_t* size_ret) {
    return give("Fake", size, value, size_ret);
  };
  t.clGetDeviceIDs = [](cl_platform_id, cl_device_type, cl_uint size, cl_device_id* ids, cl_uint* count) {
    return give_one(handle<void*>(1), size, reinterpret_cast<void**>(ids), count);
  };
  t.clGetDeviceInfo = [](cl_device_id, cl_device_info what, size_t size, void* value, size_t* size_ret) {
    return device_info(what, size, value, size_ret);
  };
  t.clCreateContext = [](const cl_context_properties*, cl_uint, const cl_device_id*,
                         void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*,
                         cl_int* code) { return made<cl_context>(2, code); };
  t.clCreateCommandQueue = [](cl_context, cl_device_id, cl_command_queue_properties, cl_int* code) {
    return made<cl_command_queue>(3, code);
  };
  t.clCreateBuffer = [](cl_context, cl_mem_flags, size_t, void*, cl_int* code) { return made<cl_mem>(4, code); };
  t.clCreateProgramWithSource = [](cl_context, cl_uint, const char**, const size_t*, cl_int* code) {
    return made<cl_program>(5, code);
  };
  t.clCreateProgramWithBinary = [](cl_context, cl_uint, const cl_device_id*, const size_t*, const unsigned char**,
                                   cl_int*, cl_int* code) { return made<cl_program>(5, code); };
  t.clCreateKernel = [](cl_program, const char*, cl_int* code) { return made<cl_kernel>(7, code); };
}

void fill_queries(detail::EntryPoints& t) {
  t.clGetContextInfo = [](cl_context, cl_context_info, size_t, void*, size_t*) { return CL_INVALID_VALUE; };
  t.clGetProgramInfo = [](cl_program, cl_program_info what, size_t size, void* value, size_t* size_ret) {
    return what == CL_PROGRAM_KERNEL_NAMES ? give("work", size, value, size_ret) : CL_INVALID_VALUE;
  };
  t.clGetProgramBuildInfo = [](cl_program, cl_device_id, cl_program_build_info, size_t size, void* value,
                               size_t* size_ret) { return give("", size, value, size_ret); };
  t.clGetKernelInfo = [](cl_kernel, cl_kernel_info, size_t size, void* value, size_t* size_ret) {
    return give_value<cl_uint>(3, size, value, size_ret);
  };
  t.clGetKernelArgInfo = [](cl_kernel, cl_uint index, cl_kernel_arg_info what, size_t size, void* value,
                            size_t* size_ret) { return argument_info(index, what, size, value, size_ret); };
  t.clGetKernelWorkGroupInfo = [](cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void*, size_t*) {
    return CL_INVALID_VALUE;
  };
  t.clGetEventInfo = [](cl_event, cl_event_info, size_t size, void* value, size_t* size_ret) {
    return give_value<cl_int>(CL_COMPLETE, size, value, size_ret);
  };
  t.clGetEventProfilingInfo = [](cl_event, cl_profiling_info, size_t, void*, size_t*) {
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  };
  t.clCreateKernelsInProgram = [](cl_program, cl_uint, cl_kernel*, cl_uint*) { return CL_INVALID_VALUE; };
}

void fill_commands(detail::EntryPoints& t) {
  t.clBuildProgram = [](cl_program, cl_uint, const cl_device_id*, const char*, void(CL_CALLBACK*)(cl_program, void*),
                        void*) { return CL_SUCCESS; };
  t.clSetKernelArg = [](cl_kernel, cl_uint, size_t, const void*) { return CL_SUCCESS; };
  t.clWaitForEvents = [](cl_uint, const cl_event*) { return CL_SUCCESS; };
  t.clFlush = t.clFinish = [](cl_command_queue) { return CL_SUCCESS; };
  t.clEnqueueReadBuffer = [](cl_command_queue, cl_mem, cl_bool, size_t, size_t, void*, cl_uint, const cl_event*,
                             cl_event* event) { return done(event); };
  t.clEnqueueWriteBuffer = [](cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void*, cl_uint, const cl_event*,
                              cl_event* event) { return done(event); };
  t.clEnqueueCopyBuffer = [](cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event*,
                             cl_event* event) { return done(event); };
  t.clEnqueueFillBuffer = [](cl_command_queue, cl_mem, const void*, size_t, size_t, size_t, cl_uint, const cl_event*,
                             cl_event* event) { return done(event); };
  t.clEnqueueNDRangeKernel = [](cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*,
                                cl_uint, const cl_event*, cl_event* event) { return done(event); };
  t.clEnqueueMarkerWithWaitList = [](cl_command_queue, cl_uint, const cl_event*, cl_event* event) {
    return done(event);
  };
}

void fill_references(detail::EntryPoints& t) {
  t.clRetainDevice = t.clReleaseDevice = [](cl_device_id) { return CL_SUCCESS; };
  t.clRetainContext = t.clReleaseContext = [](cl_context) { return CL_SUCCESS; };
  t.clRetainCommandQueue = t.clReleaseCommandQueue = [](cl_command_queue) { return CL_SUCCESS; };
  t.clRetainMemObject = t.clReleaseMemObject = [](cl_mem) { return CL_SUCCESS; };
  t.clRetainProgram = t.clReleaseProgram = [](cl_program) { return CL_SUCCESS; };
  t.clRetainKernel = t.clReleaseKernel = [](cl_kernel) { return CL_SUCCESS; };
  t.clRetainEvent = t.clReleaseEvent = [](cl_event) { return CL_SUCCESS; };
}

detail::EntryPoints make_table() {
  detail::EntryPoints table;
  fill_objects(table);
  fill_queries(table);
  fill_commands(table);
  fill_references(table);
  table.library = "fake driver";
  return table;
}

}  // namespace

const detail::EntryPoints& fake_driver() {
  static const detail::EntryPoints table = make_table();
  return table;
}

}  // namespace anycl::test
