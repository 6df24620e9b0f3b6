#include "event.hpp"

#include <algorithm>

#include "machine.hpp"
#include "queue.hpp"

namespace anycl::stub {

Event::Event(Ref<Context> its_context, Ref<Queue> its_queue, cl_command_type its_type, bool profiled)
    : Object(kKind),
      context(std::move(its_context)),
      queue(std::move(its_queue)),
      type(its_type),
      profiled_(profiled),
      status_(CL_QUEUED) {
  if (profiled_) times_.queued = now_ns();
}

Event::Event(Ref<Context> its_context)
    : Object(kKind), context(std::move(its_context)), type(CL_COMMAND_USER), profiled_(false), status_(CL_SUBMITTED) {}

Event::~Event() = default;

cl_int Event::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void Event::start() {
  std::vector<Waiting> due;
  {
    const std::lock_guard lock(mutex_);
    if (profiled_) times_.submitted = times_.started = now_ns();
    status_ = CL_RUNNING;
    due = take_due();
  }
  call(due, CL_RUNNING);
}

bool Event::end(cl_int status) {
  std::vector<Waiting> due;
  {
    const std::lock_guard lock(mutex_);
    if (status_ <= CL_COMPLETE) return false;
    if (profiled_) times_.ended = now_ns();
    status_ = status;
    due = take_due();
  }
  ended_.notify_all();
  call(due, status);
  return true;
}

cl_int Event::wait() const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return status_ <= CL_COMPLETE; });
  return status_;
}

void Event::listen(cl_int status, Listener listener) {
  cl_int reached = 0;
  {
    const std::lock_guard lock(mutex_);
    reached = status_;
    if (reached > status) return waiting_.push_back({status, std::move(listener)});
  }
  listener(reached < CL_COMPLETE ? reached : status);
}

cl_ulong Event::time_of(cl_profiling_info what) const {
  const std::lock_guard lock(mutex_);
  require(profiled_ && status_ == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE);
  switch (what) {
    case CL_PROFILING_COMMAND_QUEUED:
      return times_.queued;
    case CL_PROFILING_COMMAND_SUBMIT:
      return times_.submitted;
    case CL_PROFILING_COMMAND_START:
      return times_.started;
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE:
      return times_.ended;
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

std::vector<Event::Waiting> Event::take_due() {
  std::vector<Waiting> due;
  if (waiting_.empty()) return due;
  const auto later = [this](const Waiting& waiting) { return waiting.status < status_; };
  const auto first_due = std::stable_partition(waiting_.begin(), waiting_.end(), later);
  due.assign(std::make_move_iterator(first_due), std::make_move_iterator(waiting_.end()));
  waiting_.erase(first_due, waiting_.end());
  return due;
}

void Event::call(std::vector<Waiting>& due, cl_int status) {
  for (Waiting& waiting : due) waiting.listener(status < CL_COMPLETE ? status : waiting.status);
}

std::vector<Ref<Event>> read_wait_list(const Context& context, cl_uint count, const cl_event* events) {
  require((count == 0) == (events == nullptr), CL_INVALID_EVENT_WAIT_LIST);
  std::vector<Ref<Event>> list;
  list.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    require(events[i] != nullptr, CL_INVALID_EVENT_WAIT_LIST);
    list.emplace_back(object_of<Event>(events[i]));
    require(list.back()->context.get() == &context, CL_INVALID_CONTEXT);
  }
  return list;
}

void wait_for(std::span<const Ref<Event>> events) {
  bool failed = false;
  for (const Ref<Event>& event : events) failed = event->wait() < CL_COMPLETE || failed;
  require(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

}  // namespace anycl::stub
