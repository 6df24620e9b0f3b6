/// \file  The OpenCL entry points that the test layer stands in front of.
#pragma once

#include <bitset>
#include <cstddef>
#include <iterator>
#include <string_view>

// OpenCL 1.2 whole, and what 2.0 to 3.0 added. Sharing with graphics interfaces falls through to the driver.
// clang-format off
#define ANYCL_LAYER_ENTRIES(X)                                                                                         \
  X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo)                                        \
  X(clCreateSubDevices) X(clRetainDevice) X(clReleaseDevice)                                                           \
  X(clCreateContext) X(clCreateContextFromType) X(clRetainContext) X(clReleaseContext) X(clGetContextInfo)             \
  X(clSetContextDestructorCallback)                                                                                    \
  X(clCreateCommandQueue) X(clCreateCommandQueueWithProperties) X(clSetDefaultDeviceCommandQueue)                      \
  X(clRetainCommandQueue) X(clReleaseCommandQueue) X(clGetCommandQueueInfo) X(clSetCommandQueueProperty)               \
  X(clCreateBuffer) X(clCreateBufferWithProperties) X(clCreateSubBuffer)                                               \
  X(clCreateImage) X(clCreateImageWithProperties) X(clCreateImage2D) X(clCreateImage3D)                                \
  X(clCreatePipe) X(clGetPipeInfo)                                                                                     \
  X(clRetainMemObject) X(clReleaseMemObject) X(clGetSupportedImageFormats) X(clGetMemObjectInfo) X(clGetImageInfo)     \
  X(clSetMemObjectDestructorCallback)                                                                                  \
  X(clSVMAlloc) X(clSVMFree)                                                                                           \
  X(clCreateSampler) X(clCreateSamplerWithProperties) X(clRetainSampler) X(clReleaseSampler) X(clGetSamplerInfo)       \
  X(clCreateProgramWithSource) X(clCreateProgramWithBinary) X(clCreateProgramWithBuiltInKernels)                       \
  X(clCreateProgramWithIL) X(clRetainProgram) X(clReleaseProgram) X(clSetProgramReleaseCallback)                       \
  X(clSetProgramSpecializationConstant) X(clBuildProgram) X(clCompileProgram) X(clLinkProgram) X(clUnloadCompiler)     \
  X(clUnloadPlatformCompiler) X(clGetProgramInfo) X(clGetProgramBuildInfo)                                             \
  X(clCreateKernel) X(clCreateKernelsInProgram) X(clCloneKernel) X(clRetainKernel) X(clReleaseKernel)                  \
  X(clSetKernelArg) X(clSetKernelArgSVMPointer) X(clSetKernelExecInfo) X(clGetKernelInfo) X(clGetKernelArgInfo)        \
  X(clGetKernelWorkGroupInfo) X(clGetKernelSubGroupInfo) X(clGetKernelSubGroupInfoKHR)                                 \
  X(clWaitForEvents) X(clGetEventInfo) X(clCreateUserEvent) X(clRetainEvent) X(clReleaseEvent)                         \
  X(clSetUserEventStatus) X(clSetEventCallback) X(clGetEventProfilingInfo)                                             \
  X(clGetDeviceAndHostTimer) X(clGetHostTimer)                                                                         \
  X(clFlush) X(clFinish)                                                                                               \
  X(clEnqueueReadBuffer) X(clEnqueueReadBufferRect) X(clEnqueueWriteBuffer) X(clEnqueueWriteBufferRect)                \
  X(clEnqueueFillBuffer) X(clEnqueueCopyBuffer) X(clEnqueueCopyBufferRect)                                             \
  X(clEnqueueReadImage) X(clEnqueueWriteImage) X(clEnqueueFillImage) X(clEnqueueCopyImage)                             \
  X(clEnqueueCopyImageToBuffer) X(clEnqueueCopyBufferToImage)                                                          \
  X(clEnqueueMapBuffer) X(clEnqueueMapImage) X(clEnqueueUnmapMemObject) X(clEnqueueMigrateMemObjects)                  \
  X(clEnqueueNDRangeKernel) X(clEnqueueTask) X(clEnqueueNativeKernel)                                                  \
  X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList)                                                       \
  X(clEnqueueMarker) X(clEnqueueWaitForEvents) X(clEnqueueBarrier)                                                     \
  X(clEnqueueSVMFree) X(clEnqueueSVMMemcpy) X(clEnqueueSVMMemFill) X(clEnqueueSVMMap) X(clEnqueueSVMUnmap)             \
  X(clEnqueueSVMMigrateMem)                                                                                            \
  X(clGetExtensionFunctionAddress) X(clGetExtensionFunctionAddressForPlatform)
// clang-format on

namespace anycl::test_layer {

enum class Entry {
#define ANYCL_LAYER_ENUMERATOR(name) name,
  ANYCL_LAYER_ENTRIES(ANYCL_LAYER_ENUMERATOR)
#undef ANYCL_LAYER_ENUMERATOR
};

inline constexpr const char* kEntryNames[] = {
#define ANYCL_LAYER_NAME(name) #name,
    ANYCL_LAYER_ENTRIES(ANYCL_LAYER_NAME)
#undef ANYCL_LAYER_NAME
};
inline constexpr std::size_t kEntryCount = std::size(kEntryNames);

using EntrySet = std::bitset<kEntryCount>;

[[nodiscard]] const char* name_of(Entry entry) noexcept;

/// All entries whose names match; `*` stands for any characters, `?` for one.
[[nodiscard]] EntrySet entries_matching(std::string_view glob);

/// Whether all of `text` matches `glob`.
[[nodiscard]] bool matches(std::string_view glob, std::string_view text) noexcept;

}  // namespace anycl::test_layer
