#include "anycl/context/queue.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/context/resource.hpp"
#include "base/logging.hpp"
#include "context/context_core.hpp"
#include "context/queue_core.hpp"
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

Resource::~Resource() = default;

void WaitList::add(const Event& event) {
  EventState* state = event.state();
  if (state == nullptr || &state->queue() == &target_) return;
  if (&state->queue().context() != &target_.context()) {
    event.wait();
    return;
  }
  if (state->status() == EventStatus::complete) return;
  state->queue().flush_through(state->sequence());
  natives_.push_back(state->native());
}

QueueCore::QueueCore(std::shared_ptr<NativeContext> context, Device device, std::size_t device_index,
                     QueueOptions options, std::weak_ptr<QueueRegistry> registry)
    : context_(std::move(context)),
      device_(std::move(device)),
      device_index_(device_index),
      options_(options),
      registry_(std::move(registry)) {
  const cl_command_queue_properties properties = options_.profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl_int code = CL_SUCCESS;
  handle_() = clCreateCommandQueue(context_->handle(), device_.record().device, properties, &code);
  check_cl(code, "clCreateCommandQueue", device_.name());
  tracked_.reserve(kFirstLook);
}

QueueCore::~QueueCore() { release(handle_, lifetime()); }

void QueueCore::retire() noexcept {
  if (const auto registry = registry_.lock()) registry->retire(shared_from_this());
}

void QueueCore::throw_refused(cl_int code, const std::string& label) const {
  throw_cl(code, "enqueue", fmt::format("{} on {}", label, device_.name()));
}

void QueueCore::track(const Event& event) {
  const std::lock_guard lock(tracked_mutex_);
  tracked_.push_back(event);
  if (tracked_.size() < look_at_) return;
  forget_done();
  look_at_ = std::max(kFirstLook, 2 * tracked_.size());
}

void QueueCore::keep(const Event& event, std::shared_ptr<void> object) {
  const std::lock_guard lock(tracked_mutex_);
  kept_.push_back({event, std::move(object)});
  forget_done();
}

/// With the lock held. The queue is in order, so the first event that is not done ends the search.
void QueueCore::forget_done() noexcept {
  const auto is_done = [](const Event& event) { return event.state()->status() != EventStatus::submitted; };
  std::size_t done = 0;
  while (done < tracked_.size() && is_done(tracked_[done])) {
    EventState& state = *tracked_[done].state();
    if (state.status() == EventStatus::failed && first_failed_.state() == nullptr) first_failed_ = tracked_[done];
    ++done;
  }
  tracked_.erase(tracked_.begin(), tracked_.begin() + static_cast<std::ptrdiff_t>(done));
  std::erase_if(kept_, [&](const Kept& kept) { return is_done(kept.event); });
}

void QueueCore::flush_through(std::uint64_t sequence) {
  if (flushed_.load(std::memory_order_acquire) < sequence) flush();
}

void QueueCore::flush() {
  lifetime().check_usable();
  const std::uint64_t covered = enqueued_.load(std::memory_order_acquire);
  ANYCL_CL(clFlush(handle_()));
  flushed_.store(covered, std::memory_order_release);
}

void QueueCore::finish() {
  lifetime().check_usable();
  const cl_int code = clFinish(handle_());
  Event failed;
  {
    const std::lock_guard lock(tracked_mutex_);
    forget_done();
    std::swap(failed, first_failed_);
  }
  if (failed.state() != nullptr && !failed.state()->reported()) failed.state()->throw_if_failed();
  check_cl(code, "clFinish", device_.name());
}

bool QueueCore::idle() noexcept {
  const std::lock_guard lock(tracked_mutex_);
  forget_done();
  if (first_failed_.state() != nullptr && !first_failed_.state()->reported())
    log::error("{}; nobody waited for it", first_failed_.state()->failure());
  first_failed_ = Event();
  return tracked_.empty() && kept_.empty();
}

bool QueueCore::drain(std::chrono::steady_clock::time_point deadline) noexcept {
  if (!lifetime().abandoned() && handle_() != nullptr) ANYCL_CL_NOTHROW(clFlush(handle_()));
  auto pause = std::chrono::microseconds(2);
  while (!idle()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
  return true;
}

void QueueRegistry::add(std::shared_ptr<QueueCore> queue) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const Entry& entry) { return entry.retired && entry.queue->idle(); });
  entries_.push_back({std::move(queue), false});
}

void QueueRegistry::retire(const std::shared_ptr<QueueCore>& queue) noexcept {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) entry.retired |= entry.queue == queue;
  std::erase_if(entries_, [](const Entry& entry) { return entry.retired && entry.queue->idle(); });
}

bool QueueRegistry::drain(std::chrono::steady_clock::time_point deadline) noexcept {
  std::vector<Entry> entries;
  {
    const std::lock_guard lock(mutex_);
    entries.swap(entries_);
  }
  bool all = true;
  for (const Entry& entry : entries) all = entry.queue->drain(deadline) && all;
  return all;
}

}  // namespace detail
}  // namespace anycl
