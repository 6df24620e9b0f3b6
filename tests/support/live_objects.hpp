/// \file  Counts the OpenCL objects that the library holds. For programs that link anycl_testing.
#pragma once

#include <atomic>

#include "anycl/context/queue.hpp"
#include "anycl/program/kernel_cache.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

namespace anycl::test {

/// While it lives, every reference that the library takes or gives back is counted. One at a time.
class LiveObjects {
 public:
  LiveObjects() : faults_((settle_shared_context(), &LiveObjects::change)) {
    contexts = queues = buffers = programs = kernels = events = buffer_calls = releases = 0;
  }

  static inline std::atomic<long> contexts{0};
  static inline std::atomic<long> queues{0};
  static inline std::atomic<long> buffers{0};
  static inline std::atomic<long> programs{0};
  static inline std::atomic<long> kernels{0};
  static inline std::atomic<long> events{0};
  static inline std::atomic<long> buffer_calls{0};  ///< of clCreateBuffer, whatever came of them
  static inline std::atomic<long> releases{0};      ///< of anything

  [[nodiscard]] static long all() { return contexts + queues + buffers + programs + kernels + events; }

 private:
  /// What earlier tests left to the library, queues that had work and programs to be stored, must not end while we count.
  static void settle_shared_context() {
    Context& context = shared_context();
    for (const Device& device : context.devices()) Queue(context, device).finish();  // lets go of idle queues
    flush_kernel_cache(context);
  }

  template <class Handle>
  static Handle made(std::atomic<long>& counter, Handle handle) {
    counter += handle != nullptr ? 1 : 0;
    return handle;
  }

  static cl_int enqueued(cl_int code, const cl_event* event) {
    events += code == CL_SUCCESS && event != nullptr ? 1 : 0;
    return code;
  }

  static void released(std::atomic<long>& counter) {
    --counter;
    ++releases;
  }

  static void change(detail::EntryPoints& table) {
    count_makers(table);
    count_enqueues(table);
    count_references(table);
  }

  static void count_makers(detail::EntryPoints& table) {
    table.clCreateContext = [](const cl_context_properties* a, cl_uint b, const cl_device_id* c,
                               void(CL_CALLBACK * d)(const char*, const void*, size_t, void*), void* e,
                               cl_int* f) -> cl_context {
      return made(contexts, real_driver().clCreateContext(a, b, c, d, e, f));
    };
    table.clCreateCommandQueue = [](cl_context a, cl_device_id b, cl_command_queue_properties c,
                                    cl_int* d) -> cl_command_queue {
      return made(queues, real_driver().clCreateCommandQueue(a, b, c, d));
    };
    table.clCreateBuffer = [](cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e) -> cl_mem {
      ++buffer_calls;
      return made(buffers, real_driver().clCreateBuffer(a, b, c, d, e));
    };
    table.clCreateProgramWithSource = [](cl_context a, cl_uint b, const char** c, const size_t* d,
                                         cl_int* e) -> cl_program {
      return made(programs, real_driver().clCreateProgramWithSource(a, b, c, d, e));
    };
    table.clCreateProgramWithBinary = [](cl_context a, cl_uint b, const cl_device_id* c, const size_t* d,
                                         const unsigned char** e, cl_int* f, cl_int* g) -> cl_program {
      return made(programs, real_driver().clCreateProgramWithBinary(a, b, c, d, e, f, g));
    };
    table.clCreateKernel = [](cl_program a, const char* b, cl_int* c) -> cl_kernel {
      return made(kernels, real_driver().clCreateKernel(a, b, c));
    };
    table.clCreateKernelsInProgram = [](cl_program a, cl_uint b, cl_kernel* c, cl_uint* d) -> cl_int {
      cl_uint count = 0;
      const cl_int code = real_driver().clCreateKernelsInProgram(a, b, c, &count);
      if (d != nullptr) *d = count;
      if (code == CL_SUCCESS && c != nullptr) kernels += static_cast<long>(count);
      return code;
    };
  }

  static void count_enqueues(detail::EntryPoints& table) {
    table.clEnqueueNDRangeKernel = [](cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, const size_t* e,
                                      const size_t* f, cl_uint g, const cl_event* h, cl_event* i) -> cl_int {
      return enqueued(real_driver().clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i), i);
    };
    table.clEnqueueReadBuffer = [](cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g,
                                   const cl_event* h, cl_event* i) -> cl_int {
      return enqueued(real_driver().clEnqueueReadBuffer(a, b, c, d, e, f, g, h, i), i);
    };
    table.clEnqueueWriteBuffer = [](cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void* f,
                                    cl_uint g, const cl_event* h, cl_event* i) -> cl_int {
      return enqueued(real_driver().clEnqueueWriteBuffer(a, b, c, d, e, f, g, h, i), i);
    };
    table.clEnqueueCopyBuffer = [](cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g,
                                   const cl_event* h, cl_event* i) -> cl_int {
      return enqueued(real_driver().clEnqueueCopyBuffer(a, b, c, d, e, f, g, h, i), i);
    };
    table.clEnqueueFillBuffer = [](cl_command_queue a, cl_mem b, const void* c, size_t d, size_t e, size_t f, cl_uint g,
                                   const cl_event* h, cl_event* i) -> cl_int {
      return enqueued(real_driver().clEnqueueFillBuffer(a, b, c, d, e, f, g, h, i), i);
    };
    table.clEnqueueMarkerWithWaitList = [](cl_command_queue a, cl_uint b, const cl_event* c, cl_event* d) -> cl_int {
      return enqueued(real_driver().clEnqueueMarkerWithWaitList(a, b, c, d), d);
    };
  }

  static void count_references(detail::EntryPoints& table) {
#define ANYCL_COUNT(type, noun, counter)              \
  table.clRetain##noun = [](type object) -> cl_int {  \
    ++counter;                                        \
    return real_driver().clRetain##noun(object);      \
  };                                                  \
  table.clRelease##noun = [](type object) -> cl_int { \
    released(counter);                                \
    return real_driver().clRelease##noun(object);     \
  }
    ANYCL_COUNT(cl_context, Context, contexts);
    ANYCL_COUNT(cl_command_queue, CommandQueue, queues);
    ANYCL_COUNT(cl_mem, MemObject, buffers);
    ANYCL_COUNT(cl_program, Program, programs);
    ANYCL_COUNT(cl_kernel, Kernel, kernels);
    ANYCL_COUNT(cl_event, Event, events);
#undef ANYCL_COUNT
  }

  Faults faults_;
};

}  // namespace anycl::test
