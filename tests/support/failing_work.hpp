/// \file  Work that a driver takes and that fails later. For programs that link anycl_testing.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "support/faults.hpp"

namespace anycl::test {

/// While it lives, launches and transfers named by `fail_next` end with an error code as their status, although the
/// driver runs them. One at a time.
class FailingWork {
 public:
  FailingWork() : faults_(&FailingWork::change) { state() = State{}; }

  /// The next launch fails with `code`, a negative OpenCL status.
  static void fail_next_launch(cl_int code) { state().next_launch = code; }
  static void fail_next_write(cl_int code) { state().next_write = code; }

  /// The next launch fails, but its status says complete: only a wait for it tells, with
  /// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST. One driver does so.
  static void fail_next_launch_in_secret() { state().next_is_secret = true; }

 private:
  struct State {
    cl_int next_launch = CL_SUCCESS;
    cl_int next_write = CL_SUCCESS;
    std::map<cl_event, cl_int> failed;
    bool next_is_secret = false;
    std::set<cl_event> secretly_failed;
  };

  static State& state() {
    static State failing;
    return failing;
  }

  static std::mutex& mutex() {
    static std::mutex guard;
    return guard;
  }

  static void note(cl_int& code, const cl_event* event) {
    const std::lock_guard lock(mutex());
    if (code != CL_SUCCESS && event != nullptr) state().failed[*event] = code;
    code = CL_SUCCESS;
  }

  static void change(detail::EntryPoints& table) {
    table.clEnqueueNDRangeKernel = [](cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                      const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                                      const cl_event* waits, cl_event* event) -> cl_int {
      const cl_int code =
          real_driver().clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, waits, event);
      note(state().next_launch, event);
      const std::lock_guard lock(mutex());
      if (std::exchange(state().next_is_secret, false)) state().secretly_failed.insert(*event);
      return code;
    };
    table.clEnqueueWriteBuffer = [](cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size,
                                    const void* from, cl_uint count, const cl_event* waits, cl_event* event) -> cl_int {
      const cl_int code =
          real_driver().clEnqueueWriteBuffer(queue, memory, blocking, offset, size, from, count, waits, event);
      note(state().next_write, event);
      return code;
    };
    table.clGetEventInfo = [](cl_event event, cl_event_info what, size_t size, void* value,
                              size_t* size_ret) -> cl_int {
      const cl_int code = real_driver().clGetEventInfo(event, what, size, value, size_ret);
      const std::lock_guard lock(mutex());
      const auto failed = state().failed.find(event);
      const bool ended =
          what == CL_EVENT_COMMAND_EXECUTION_STATUS && value != nullptr && *static_cast<cl_int*>(value) == CL_COMPLETE;
      if (ended && failed != state().failed.end()) *static_cast<cl_int*>(value) = failed->second;
      return code;
    };
    table.clWaitForEvents = [](cl_uint count, const cl_event* events) -> cl_int {
      const cl_int code = real_driver().clWaitForEvents(count, events);
      const std::lock_guard lock(mutex());
      const auto has_failed = [](cl_event event) {
        return state().failed.contains(event) || state().secretly_failed.contains(event);
      };
      return std::any_of(events, events + count, has_failed) ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : code;
    };
    // A driver may use the place of a released event for the next one.
    table.clReleaseEvent = [](cl_event event) -> cl_int {
      {
        const std::lock_guard lock(mutex());
        state().failed.erase(event);
        state().secretly_failed.erase(event);
      }
      return real_driver().clReleaseEvent(event);
    };
  }

  Faults faults_;
};

}  // namespace anycl::test
