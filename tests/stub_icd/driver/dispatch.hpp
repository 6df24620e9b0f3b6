/// \file  The entries that the stub has, and the table of them that every object begins with.
#pragma once

#include <type_traits>

#include <CL/cl_icd.h>

namespace anycl::stub {

// The whole of OpenCL 1.2 but images, samplers, sub-devices, native kernels and separate linking, and what 3.0 demands
// beyond it. All others are null in the table.
#define ANYCL_STUB_ENTRIES(ENTRY)                 \
  ENTRY(clGetPlatformIDs)                         \
  ENTRY(clGetPlatformInfo)                        \
  ENTRY(clGetDeviceIDs)                           \
  ENTRY(clGetDeviceInfo)                          \
  ENTRY(clRetainDevice)                           \
  ENTRY(clReleaseDevice)                          \
  ENTRY(clUnloadPlatformCompiler)                 \
  ENTRY(clGetExtensionFunctionAddress)            \
  ENTRY(clGetExtensionFunctionAddressForPlatform) \
  ENTRY(clCreateContext)                          \
  ENTRY(clCreateContextFromType)                  \
  ENTRY(clRetainContext)                          \
  ENTRY(clReleaseContext)                         \
  ENTRY(clGetContextInfo)                         \
  ENTRY(clSetContextDestructorCallback)           \
  ENTRY(clCreateCommandQueue)                     \
  ENTRY(clCreateCommandQueueWithProperties)       \
  ENTRY(clRetainCommandQueue)                     \
  ENTRY(clReleaseCommandQueue)                    \
  ENTRY(clGetCommandQueueInfo)                    \
  ENTRY(clFlush)                                  \
  ENTRY(clFinish)                                 \
  ENTRY(clCreateBuffer)                           \
  ENTRY(clCreateBufferWithProperties)             \
  ENTRY(clCreateSubBuffer)                        \
  ENTRY(clRetainMemObject)                        \
  ENTRY(clReleaseMemObject)                       \
  ENTRY(clGetMemObjectInfo)                       \
  ENTRY(clSetMemObjectDestructorCallback)         \
  ENTRY(clGetSupportedImageFormats)               \
  ENTRY(clCreateProgramWithSource)                \
  ENTRY(clCreateProgramWithBinary)                \
  ENTRY(clRetainProgram)                          \
  ENTRY(clReleaseProgram)                         \
  ENTRY(clBuildProgram)                           \
  ENTRY(clGetProgramInfo)                         \
  ENTRY(clGetProgramBuildInfo)                    \
  ENTRY(clCreateKernel)                           \
  ENTRY(clCreateKernelsInProgram)                 \
  ENTRY(clCloneKernel)                            \
  ENTRY(clRetainKernel)                           \
  ENTRY(clReleaseKernel)                          \
  ENTRY(clSetKernelArg)                           \
  ENTRY(clGetKernelInfo)                          \
  ENTRY(clGetKernelArgInfo)                       \
  ENTRY(clGetKernelWorkGroupInfo)                 \
  ENTRY(clCreateUserEvent)                        \
  ENTRY(clSetUserEventStatus)                     \
  ENTRY(clWaitForEvents)                          \
  ENTRY(clRetainEvent)                            \
  ENTRY(clReleaseEvent)                           \
  ENTRY(clGetEventInfo)                           \
  ENTRY(clGetEventProfilingInfo)                  \
  ENTRY(clSetEventCallback)                       \
  ENTRY(clEnqueueReadBuffer)                      \
  ENTRY(clEnqueueWriteBuffer)                     \
  ENTRY(clEnqueueCopyBuffer)                      \
  ENTRY(clEnqueueFillBuffer)                      \
  ENTRY(clEnqueueReadBufferRect)                  \
  ENTRY(clEnqueueWriteBufferRect)                 \
  ENTRY(clEnqueueCopyBufferRect)                  \
  ENTRY(clEnqueueMapBuffer)                       \
  ENTRY(clEnqueueUnmapMemObject)                  \
  ENTRY(clEnqueueMigrateMemObjects)               \
  ENTRY(clEnqueueNDRangeKernel)                   \
  ENTRY(clEnqueueTask)                            \
  ENTRY(clEnqueueMarker)                          \
  ENTRY(clEnqueueBarrier)                         \
  ENTRY(clEnqueueWaitForEvents)                   \
  ENTRY(clEnqueueMarkerWithWaitList)              \
  ENTRY(clEnqueueBarrierWithWaitList)

#define ANYCL_STUB_DECLARE(name) std::remove_pointer_t<decltype(cl_icd_dispatch::name)> name;
ANYCL_STUB_ENTRIES(ANYCL_STUB_DECLARE)
#undef ANYCL_STUB_DECLARE

/// What a loader calls for clGetPlatformIDs.
cl_int clIcdGetPlatformIDsKHR(cl_uint size, cl_platform_id* platforms, cl_uint* count);

[[nodiscard]] const cl_icd_dispatch& dispatch() noexcept;

}  // namespace anycl::stub
