#include "anycl/context/queue.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/context/resource.hpp"
#include "base/logging.hpp"
#include "context/context_core.hpp"
#include "context/queue_core.hpp"
#include "device/check.hpp"
#include "device/device_record.hpp"

namespace anycl {

Queue::Queue(Context& context, const Device& device, QueueOptions options)
    : core_(context.core()->make_queue(device, options)) {}

Queue::Queue(Queue&&) noexcept = default;

Queue& Queue::operator=(Queue&& other) noexcept {
  std::swap(core_, other.core_);
  return *this;
}

Queue::~Queue() {
  if (core_ != nullptr) core_->retire();
}

const Device& Queue::device() const noexcept { return core_->device(); }
void Queue::flush() { core_->flush(); }
void Queue::finish() { core_->finish(); }

namespace detail {
namespace {

void log_errors(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) log::error("{}", line);
}

/// Drops the entries of a registry whose handles are gone and whose work is done.
template <class Entries>
void let_go_of_idle(Entries& entries) noexcept {
  std::erase_if(entries, [](const auto& entry) { return entry.retired && entry.queue->idle(); });
}

}  // namespace

Resource::~Resource() = default;

void WaitList::add(const Event& event) {
  EventState* state = event.state();
  if (state == nullptr || &state->queue() == &target_) return;
  if (&state->queue().context() != &target_.context()) {
    event.wait();
    return;
  }
  if (state->status() != EventStatus::submitted) return;
  state->queue().flush_through(state->sequence());
  natives_.push_back(state->native());
}

QueueCore::QueueCore(std::shared_ptr<NativeContext> context, Device device, std::size_t device_index,
                     QueueOptions options, std::weak_ptr<ContextCore> owner, std::weak_ptr<QueueRegistry> registry)
    : context_(std::move(context)),
      device_(std::move(device)),
      device_index_(device_index),
      options_(options),
      owner_(std::move(owner)),
      registry_(std::move(registry)) {
  const cl_command_queue_properties properties = options_.profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl_int code = CL_SUCCESS;
  handle_() = clCreateCommandQueue(context_->handle(), device_.record().device, properties, &code);
  check_cl(code, "clCreateCommandQueue", device_.name());
  failures_.reserve(kMostFailures);  // noting one must not need memory
}

QueueCore::~QueueCore() { release(handle_, lifetime()); }

std::shared_ptr<ContextCore> QueueCore::owner() const {
  auto owner = owner_.lock();
  if (owner == nullptr) throw Cancelled("queue used after its context was destroyed");
  return owner;
}

void QueueCore::retire() noexcept {
  if (lifetime().forked()) return;
  // What was never flushed might never begin, and then nobody would let go of this queue.
  const bool unflushed = flushed_.load(std::memory_order_acquire) < enqueued_.load(std::memory_order_acquire);
  if (unflushed && !lifetime().closed() && !lifetime().abandoned()) ANYCL_CL_NOTHROW(clFlush(handle_()));
  if (const auto registry = registry_.lock()) registry->retire(shared_from_this());
}

Event QueueCore::submit_marker(const WaitList& waits, Label label, std::uint32_t extra_references) {
  std::vector<cl_event> all(waits.data(), waits.data() + waits.size());
  const auto enqueue = [&](cl_command_queue queue, cl_uint, const cl_event*, cl_event* done) {
    // An in-order queue should not need this; Mesa 22.3 calls a bare marker complete before the work ahead of it.
    if (!tracked_.empty() && tracked_.back()->status() == EventStatus::submitted)
      all.push_back(tracked_.back()->native());
    return clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(all.size()), all.empty() ? nullptr : all.data(),
                                       done);
  };
  return submit(waits, label, enqueue, extra_references);
}

EventState& QueueCore::take_state(Label label) {
  if (free_states_.empty()) {
    states_.emplace_back(*this);
    free_states_.reserve(states_.size());  // giving back must not need memory
    free_states_.push_back(&states_.back());
  }
  // Room for tracking it, before the driver is called: after that nothing may throw.
  if (tracked_.size() == tracked_.capacity()) {
    tracked_.reserve(std::max(kFirstLook, 2 * tracked_.size()));
    natives_.reserve(tracked_.capacity());
  }
  if (self_ == nullptr) self_ = shared_from_this();
  EventState& state = *free_states_.back();
  free_states_.pop_back();
  state.begin(label);
  return state;
}

void QueueCore::put_state(EventState& state) noexcept {
  state.clear();
  free_states_.push_back(&state);
}

void QueueCore::refuse(EventState& state, cl_int code, Label label) {
  put_state(state);
  throw_cl(code, "enqueue", fmt::format("{} on {}", *label, device_.name()));
}

void QueueCore::give_back(EventState& state) noexcept {
  std::shared_ptr<QueueCore> last;  // outlives the lock: it may be all that keeps this queue
  const std::lock_guard lock(mutex_);
  put_state(state);
  if (free_states_.size() == states_.size()) last = std::move(self_);
}

void QueueCore::drop(EventState& state) noexcept {
  if (state.drop()) put_state(state);
}

void QueueCore::keep(const Event& event, std::shared_ptr<void> object) {
  const std::lock_guard lock(mutex_);
  kept_.push_back({event.state(), std::move(object)});
  event.state()->retain();
  forget_done();
}

void QueueCore::look() noexcept {
  forget_done();
  look_at_ = std::max(kFirstLook, 2 * tracked_.size());
}

/// The queue is in order, so the first event that is not done ends the search.
void QueueCore::forget_done() noexcept {
  const auto is_done = [](EventState* event) { return event->status() != EventStatus::submitted; };
  std::size_t done = 0;
  while (done < tracked_.size() && is_done(tracked_[done])) ++done;
  confirm_first(done);
  for (std::size_t i = 0; i < done; ++i) {
    EventState& state = *tracked_[i];
    if (state.status() == EventStatus::failed)
      note_failure(state);
    else
      drop(state);
  }
  tracked_.erase(tracked_.begin(), tracked_.begin() + static_cast<std::ptrdiff_t>(done));
  auto kept = kept_.begin();
  for (; kept != kept_.end() && is_done(kept->event); ++kept) drop(*kept->event);
  kept_.erase(kept_.begin(), kept);
}

/// Takes the reference over. More failures than anybody will ask for one by one go to the log at once.
void QueueCore::note_failure(EventState& state) noexcept {
  if (failures_.size() < kMostFailures) return failures_.push_back(&state);
  leave_to_log(state);
  drop(state);
}

void QueueCore::leave_to_log(const EventState& state) noexcept {
  if (!state.reported()) unsaid_.push_back(fmt::format("{}; nobody waited for it", state.failure()));
}

/// The first failure that nobody was told of, if any; the others go to the log.
Event QueueCore::take_failures() noexcept {
  Event first;
  for (EventState* state : failures_) {
    if (first.state() == nullptr && !state->reported()) {
      first = Event(state);
    } else {
      leave_to_log(*state);
      drop(*state);
    }
  }
  failures_.clear();
  return first;
}

void QueueCore::flush_through(std::uint64_t sequence) {
  if (flushed_.load(std::memory_order_acquire) < sequence) flush();
}

void QueueCore::flush() {
  lifetime().check_usable();
  check_cl(try_flush(), "clFlush");
}

cl_int QueueCore::try_flush_through(std::uint64_t sequence) noexcept {
  return flushed_.load(std::memory_order_acquire) < sequence ? try_flush() : CL_SUCCESS;
}

cl_int QueueCore::try_flush() noexcept {
  const std::uint64_t covered = enqueued_.load(std::memory_order_acquire);
  const cl_int code = clFlush(handle_());
  if (code == CL_SUCCESS) flushed_.store(covered, std::memory_order_release);
  return code;
}

void QueueCore::finish() {
  lifetime().check_usable();
  const std::uint64_t covered = enqueued_.load(std::memory_order_acquire);
  const cl_int code = clFinish(handle_());
  Event failed;
  std::vector<std::string> unsaid;
  {
    const std::lock_guard lock(mutex_);
    const auto later = std::find_if(tracked_.begin(), tracked_.end(),
                                    [covered](const EventState* state) { return state->sequence() > covered; });
    confirm_first(static_cast<std::size_t>(later - tracked_.begin()));
    forget_done();
    failed = take_failures();
    unsaid.swap(unsaid_);
  }
  log_errors(unsaid);
  if (failed.state() != nullptr) failed.state()->throw_if_failed();
  check_cl(code, "clFinish", device_.name());
}

/// Makes sure of the first `count` tracked submissions, which are done, with one question to the driver about all of them.
void QueueCore::confirm_first(std::size_t count) noexcept {
  natives_.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (!tracked_[i]->confirmed()) natives_.push_back(tracked_[i]->native());
  if (natives_.empty() || lifetime().abandoned()) return;
  const bool all = clWaitForEvents(static_cast<cl_uint>(natives_.size()), natives_.data()) == CL_SUCCESS;
  for (std::size_t i = 0; i < count; ++i) all ? tracked_[i]->completed() : tracked_[i]->confirm();
}

bool QueueCore::idle() noexcept {
  std::shared_ptr<QueueCore> last;  // outlives the lock: it may be all that keeps this queue
  std::vector<std::string> unsaid;
  bool idle = false;
  {
    // Whoever holds the lock is enqueueing, perhaps in a driver that does not come back: that is not idle.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    idle = idle_locked();
    unsaid.swap(unsaid_);
    if (free_states_.size() == states_.size()) last = std::move(self_);
  }
  log_errors(unsaid);
  return idle;
}

bool QueueCore::idle_locked() noexcept {
  forget_done();
  for (EventState* state : failures_) {
    leave_to_log(*state);
    drop(*state);
  }
  failures_.clear();
  return tracked_.empty() && kept_.empty();
}

bool QueueCore::drain(std::chrono::steady_clock::time_point deadline) noexcept {
  if (lifetime().abandoned() || handle_() == nullptr) return idle();
  bool flushed = try_flush() == CL_SUCCESS;
  auto pause = std::chrono::microseconds(2);
  while (!idle()) {
    if (!flushed) flushed = try_flush() == CL_SUCCESS;  // one that fails may have failed for the moment
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
  return true;
}

bool QueueCore::work_is_lost() noexcept {
  constexpr auto kPatience = std::chrono::milliseconds(10);
  const Clock::duration now = Clock::now().time_since_epoch();
  Clock::rep since = kNever;
  refused_since_.compare_exchange_strong(since, now.count(), std::memory_order_relaxed);
  return since != kNever && now - Clock::duration(since) >= kPatience;
}

void QueueRegistry::add(std::shared_ptr<QueueCore> queue) {
  const std::lock_guard lock(mutex_);
  let_go_of_idle(entries_);
  entries_.push_back({std::move(queue), false});
}

void QueueRegistry::retire(const std::shared_ptr<QueueCore>& queue) noexcept {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) entry.retired |= entry.queue == queue;
  let_go_of_idle(entries_);
}

bool QueueRegistry::drain(std::chrono::steady_clock::time_point deadline) noexcept {
  std::vector<Entry> entries;
  {
    const std::lock_guard lock(mutex_);
    entries = entries_;
  }
  bool all = true;
  for (const Entry& entry : entries) all = entry.queue->drain(deadline) && all;
  const std::lock_guard lock(mutex_);
  let_go_of_idle(entries_);
  return all;
}

}  // namespace detail
}  // namespace anycl
