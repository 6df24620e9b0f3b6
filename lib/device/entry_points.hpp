/// \file  The table of OpenCL entry points: opened at run time, replaceable in tests. Layer 1 (device).
#pragma once

#include <string>

#include <CL/cl.h>

// Every OpenCL function the library calls. PLAIN entries exist in every OpenCL 1.0 driver. GUARDED ones are younger:
// a driver may have a null entry for them in its own table, where a call through the loader would jump to address 0.
// OPTIONAL ones may be missing from the loader, too: they give null where they are, and the code for an error is the
// caller's to set beforehand.
// clang-format off
#define ANYCL_CL_ENTRIES(PLAIN, GUARDED, OPTIONAL)                                                                     \
  PLAIN(cl_int, clGetPlatformIDs, (cl_uint a, cl_platform_id* b, cl_uint* c), (a, b, c))                               \
  PLAIN(cl_int, clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void* d, size_t* e), (a, b, c, d, e)) \
  PLAIN(cl_int, clGetDeviceIDs, (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id* d, cl_uint* e), (a, b, c, d, e)) \
  PLAIN(cl_int, clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))    \
  GUARDED(cl_int, clCreateSubDevices, (cl_device_id a, const cl_device_partition_property* b, cl_uint c, cl_device_id* d, cl_uint* e), (a, b, c, d, e)) \
  GUARDED(cl_int, clRetainDevice, (cl_device_id a), (a))                                                               \
  GUARDED(cl_int, clReleaseDevice, (cl_device_id a), (a))                                                              \
  PLAIN(cl_context, clCreateContext, (const cl_context_properties* a, cl_uint b, const cl_device_id* c, void(CL_CALLBACK* d)(const char*, const void*, size_t, void*), void* e, cl_int* f), (a, b, c, d, e, f)) \
  PLAIN(cl_int, clRetainContext, (cl_context a), (a))                                                                  \
  PLAIN(cl_int, clReleaseContext, (cl_context a), (a))                                                                 \
  PLAIN(cl_int, clGetContextInfo, (cl_context a, cl_context_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))    \
  PLAIN(cl_command_queue, clCreateCommandQueue, (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int* d), (a, b, c, d)) \
  PLAIN(cl_int, clRetainCommandQueue, (cl_command_queue a), (a))                                                       \
  PLAIN(cl_int, clReleaseCommandQueue, (cl_command_queue a), (a))                                                      \
  PLAIN(cl_int, clFlush, (cl_command_queue a), (a))                                                                    \
  PLAIN(cl_int, clFinish, (cl_command_queue a), (a))                                                                   \
  PLAIN(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e), (a, b, c, d, e))         \
  PLAIN(cl_int, clRetainMemObject, (cl_mem a), (a))                                                                    \
  PLAIN(cl_int, clReleaseMemObject, (cl_mem a), (a))                                                                   \
  PLAIN(cl_program, clCreateProgramWithSource, (cl_context a, cl_uint b, const char** c, const size_t* d, cl_int* e), (a, b, c, d, e)) \
  OPTIONAL(cl_program, clCreateProgramWithIL, (cl_context a, const void* b, size_t c, cl_int* d), (a, b, c, d))        \
  OPTIONAL(void*, clGetExtensionFunctionAddressForPlatform, (cl_platform_id a, const char* b), (a, b))                 \
  PLAIN(cl_program, clCreateProgramWithBinary, (cl_context a, cl_uint b, const cl_device_id* c, const size_t* d, const unsigned char** e, cl_int* f, cl_int* g), (a, b, c, d, e, f, g)) \
  PLAIN(cl_int, clBuildProgram, (cl_program a, cl_uint b, const cl_device_id* c, const char* d, void(CL_CALLBACK* e)(cl_program, void*), void* f), (a, b, c, d, e, f)) \
  PLAIN(cl_int, clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))    \
  PLAIN(cl_int, clGetProgramBuildInfo, (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void* e, size_t* f), (a, b, c, d, e, f)) \
  PLAIN(cl_int, clRetainProgram, (cl_program a), (a))                                                                  \
  PLAIN(cl_int, clReleaseProgram, (cl_program a), (a))                                                                 \
  PLAIN(cl_kernel, clCreateKernel, (cl_program a, const char* b, cl_int* c), (a, b, c))                                \
  PLAIN(cl_int, clCreateKernelsInProgram, (cl_program a, cl_uint b, cl_kernel* c, cl_uint* d), (a, b, c, d))           \
  PLAIN(cl_int, clRetainKernel, (cl_kernel a), (a))                                                                    \
  PLAIN(cl_int, clReleaseKernel, (cl_kernel a), (a))                                                                   \
  PLAIN(cl_int, clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void* d), (a, b, c, d))                       \
  PLAIN(cl_int, clGetKernelInfo, (cl_kernel a, cl_kernel_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))       \
  GUARDED(cl_int, clGetKernelArgInfo, (cl_kernel a, cl_uint b, cl_kernel_arg_info c, size_t d, void* e, size_t* f), (a, b, c, d, e, f)) \
  PLAIN(cl_int, clGetKernelWorkGroupInfo, (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void* e, size_t* f), (a, b, c, d, e, f)) \
  PLAIN(cl_int, clWaitForEvents, (cl_uint a, const cl_event* b), (a, b))                                               \
  PLAIN(cl_int, clGetEventInfo, (cl_event a, cl_event_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))          \
  PLAIN(cl_int, clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t c, void* d, size_t* e), (a, b, c, d, e)) \
  PLAIN(cl_int, clRetainEvent, (cl_event a), (a))                                                                      \
  PLAIN(cl_int, clReleaseEvent, (cl_event a), (a))                                                                     \
  PLAIN(cl_int, clEnqueueReadBuffer, (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  PLAIN(cl_int, clEnqueueWriteBuffer, (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void* f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  PLAIN(cl_int, clEnqueueCopyBuffer, (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  GUARDED(cl_int, clEnqueueFillBuffer, (cl_command_queue a, cl_mem b, const void* c, size_t d, size_t e, size_t f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  PLAIN(cl_int, clEnqueueNDRangeKernel, (cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, const size_t* e, const size_t* f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  GUARDED(cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue a, cl_uint b, const cl_event* c, cl_event* d), (a, b, c, d))
// clang-format on

namespace anycl::detail {

/// One pointer per entry. A table is filled once and never changes while in use.
struct EntryPoints {
#define ANYCL_CL_MEMBER(result, name, parameters, arguments) result(CL_API_CALL* name) parameters = nullptr;
  ANYCL_CL_ENTRIES(ANYCL_CL_MEMBER, ANYCL_CL_MEMBER, ANYCL_CL_MEMBER)
#undef ANYCL_CL_MEMBER

  std::string library;               ///< file the entries came from
  bool objects_have_tables = false;  ///< an ICD loader: each object starts with a pointer to its driver's own table
};

/// The table in force; opens the loader on the first call.
/// \throws NoDevice  naming the file or the symbol that is missing.
[[nodiscard]] const EntryPoints& entry_points();

/// Opens the loader in `file` on that first call, in place of the system's.
void use_loader(const std::string& file);

/// False for a table that stands in for the loader's.
[[nodiscard]] bool is_loaders_own(const EntryPoints& table) noexcept;

/// \throws UsedAfterFork  in a child of the process that opened the loader: most drivers hang there for ever, since their
///                        threads are gone.
void check_not_forked();

/// Puts `table` in force until the scope ends: the seam for tests that need a driver that lies, fails or does nothing.
class ScopedEntryPoints {
 public:
  explicit ScopedEntryPoints(const EntryPoints& table) noexcept;
  ~ScopedEntryPoints();
  ScopedEntryPoints(const ScopedEntryPoints&) = delete;
  ScopedEntryPoints& operator=(const ScopedEntryPoints&) = delete;

 private:
  const EntryPoints* previous_;
};

}  // namespace anycl::detail
