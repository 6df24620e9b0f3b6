/// \file  An event: how far a command is, and who wants to know.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "context.hpp"
#include "object.hpp"

namespace anycl::stub {

class Queue;

/// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, then CL_COMPLETE or an error: always downwards.
class Event : public Object {
 public:
  using Handle = cl_event;
  using Listener = std::function<void(cl_int status)>;
  static constexpr ObjectKind kKind{"event", 0x6576656e74212121, CL_INVALID_EVENT};

  /// Of a command.
  Event(Ref<Context> its_context, Ref<Queue> its_queue, cl_command_type its_type, bool profiled);
  /// Of the program: a user event.
  explicit Event(Ref<Context> its_context);
  ~Event();

  const Ref<Context> context;
  const Ref<Queue> queue;  ///< null for a user event
  const cl_command_type type;

  [[nodiscard]] cl_int status() const;

  /// From queued to running.
  void start();
  /// Wakes those that wait, then calls listeners, on this thread. False when the event had ended already.
  bool end(cl_int status);
  /// Waits for the end. Gives the final status.
  [[nodiscard]] cl_int wait() const;

  /// Calls `listener` once the status is `status` or lower, at once when it is.
  void listen(cl_int status, Listener listener);

  /// \throws Failure  CL_PROFILING_INFO_NOT_AVAILABLE
  [[nodiscard]] cl_ulong time_of(cl_profiling_info what) const;

 private:
  struct Waiting {
    cl_int status;
    Listener listener;
  };
  struct Times {
    cl_ulong queued, submitted, started, ended;
  };

  /// Takes those out that are due. The lock is held.
  std::vector<Waiting> take_due();
  static void call(std::vector<Waiting>& due, cl_int status);

  const bool profiled_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  cl_int status_;
  Times times_{};
  std::vector<Waiting> waiting_;
};

/// The events of a wait list. \throws Failure  CL_INVALID_EVENT_WAIT_LIST, or CL_INVALID_CONTEXT for one of another context
[[nodiscard]] std::vector<Ref<Event>> read_wait_list(const Context& context, cl_uint count, const cl_event* events);

/// Waits for all. \throws Failure  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when one has failed.
void wait_for(std::span<const Ref<Event>> events);

}  // namespace anycl::stub
