/// \file  What stands behind a Queue handle. Layer 2 (context).
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "anycl/context/queue.hpp"
#include "context/event_state.hpp"
#include "context/native_context.hpp"
#include "context/wait_list.hpp"

namespace anycl::detail {

class QueueRegistry;

/// One in-order native queue and the store of its events. Any thread.
class QueueCore : public std::enable_shared_from_this<QueueCore> {
 public:
  QueueCore(std::shared_ptr<NativeContext> context, Device device, std::size_t device_index, QueueOptions options,
            std::weak_ptr<ContextCore> owner, std::weak_ptr<QueueRegistry> registry);
  ~QueueCore();
  QueueCore(const QueueCore&) = delete;
  QueueCore& operator=(const QueueCore&) = delete;

  /// The context it was made in. \throws Cancelled  when that is gone.
  [[nodiscard]] std::shared_ptr<ContextCore> owner() const;
  [[nodiscard]] const Device& device() const noexcept { return device_; }
  /// Place of the device in its anycl context.
  [[nodiscard]] std::size_t device_index() const noexcept { return device_index_; }
  [[nodiscard]] NativeContext& context() const noexcept { return *context_; }
  [[nodiscard]] Lifetime& lifetime() const noexcept { return context_->lifetime(); }
  [[nodiscard]] cl_command_queue native() const noexcept { return handle_(); }
  [[nodiscard]] bool profiling() const noexcept { return options_.profiling; }

  /// Runs `enqueue(queue, wait_count, waits, event)` and gives the event of the work, with `extra_references` references
  /// beyond the returned handle's: for `Event(state)` handles that the caller hands out. `label` is what messages call it.
  /// Submissions of one queue take place one at a time, in call order.
  /// \throws  when the driver refuses; nothing is enqueued then.
  template <class Enqueue>
  Event submit(const WaitList& waits, Label label, Enqueue&& enqueue, std::uint32_t extra_references = 0) {
    lifetime().check_usable();  // before the lock: in a forked child it may be held for ever
    const std::lock_guard lock(mutex_);
    lifetime().check_usable();  // and with it: after close() has looked at this queue nothing may be begun
    EventState& state = take_state(label);
    cl_event native = nullptr;
    const cl_int code = enqueue(handle_(), waits.size(), waits.data(), &native);
    if (code != CL_SUCCESS) [[unlikely]]
      refuse(state, code, label);
    const std::uint64_t sequence = enqueued_.load(std::memory_order_relaxed) + 1;
    enqueued_.store(sequence, std::memory_order_release);
    state.submitted(native, sequence, 2 + extra_references);  // the caller's, and that of the list of tracked work
    track(state);
    return Event(&state);
  }

  /// Work of no content, done when all before it is. `submit` in all else.
  Event submit_marker(const WaitList& waits, Label label, std::uint32_t extra_references = 0);

  /// The handle is gone; the registry decides how long the rest stays.
  void retire() noexcept;

  /// Keeps `object` alive until `event` is done.
  void keep(const Event& event, std::shared_ptr<void> object);

  /// Makes sure that the driver was told to start the submission numbered `sequence`.
  void flush_through(std::uint64_t sequence);
  /// The same for those who can go on without: gives the driver's answer.
  [[nodiscard]] cl_int try_flush_through(std::uint64_t sequence) noexcept;
  void flush();
  void finish();

  /// Waits until all work is done, at most until `deadline`; false if it is not. Never throws, calls nothing that can
  /// block without limit.
  [[nodiscard]] bool drain(std::chrono::steady_clock::time_point deadline) noexcept;

  /// True when all work is known to be done, without blocking. Errors that nobody was told of are logged.
  [[nodiscard]] bool idle() noexcept;

  /// Takes back a state whose last reference is gone.
  void give_back(EventState& state) noexcept;

  /// For a question about an event that the driver refused: whether its work is lost. One refusal tells nothing, since the
  /// work may go on and use memory meanwhile; it is lost when all such questions were refused for a while.
  [[nodiscard]] bool work_is_lost() noexcept;
  /// The driver has answered such a question.
  void heard() noexcept {
    if (refused_since_.load(std::memory_order_relaxed) != kNever)
      refused_since_.store(kNever, std::memory_order_relaxed);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::rep kNever = 0;
  // Asking about work that is still running slows drivers down: seldom, and by then most of it is done.
  static constexpr std::size_t kFirstLook = 1024;
  static constexpr std::size_t kMostFailures = 64;

  struct Kept {
    EventState* event;
    std::shared_ptr<void> object;
  };

  [[nodiscard]] cl_int try_flush() noexcept;

  // All of these with the lock held.
  [[nodiscard]] EventState& take_state(Label label);
  void put_state(EventState& state) noexcept;
  [[noreturn]] void refuse(EventState& state, cl_int code, Label label);
  void track(EventState& state) {
    tracked_.push_back(&state);
    if (tracked_.size() >= look_at_) [[unlikely]]
      look();
  }
  void look() noexcept;
  void confirm_first(std::size_t count) noexcept;
  void forget_done() noexcept;
  void drop(EventState& state) noexcept;
  void note_failure(EventState& state) noexcept;
  void leave_to_log(const EventState& state) noexcept;
  [[nodiscard]] Event take_failures() noexcept;
  [[nodiscard]] bool idle_locked() noexcept;

  std::shared_ptr<NativeContext> context_;
  Device device_;
  std::size_t device_index_;
  QueueOptions options_;
  std::weak_ptr<ContextCore> owner_;
  std::weak_ptr<QueueRegistry> registry_;
  cl::CommandQueue handle_;
  std::atomic<std::uint64_t> enqueued_{0};
  std::atomic<std::uint64_t> flushed_{0};
  std::atomic<Clock::rep> refused_since_{kNever};

  std::mutex mutex_;
  std::deque<EventState> states_;  // all there are; a deque, so that they stay where they are
  std::vector<EventState*> free_states_;
  std::shared_ptr<QueueCore> self_;  // set while any state is out
  // Work not known to be done: an error must not get lost because its event was dropped.
  std::vector<EventState*> tracked_;
  std::size_t look_at_ = kFirstLook;  // how much tracked work is worth a round of questions to the driver
  std::vector<cl_event> natives_;     // of tracked work, while the driver is asked about it
  std::vector<Kept> kept_;
  std::vector<std::string> unsaid_;    // lines for the log, to be written without the lock: a host's sink may call us
  std::vector<EventState*> failures_;  // in order, until somebody is told
};

/// All queues of one context. Holds those that still have work after their handles are gone.
class QueueRegistry {
 public:
  void add(std::shared_ptr<QueueCore> queue);

  /// Lets go of a queue whose handle is gone, at once if it is idle, else when it is.
  void retire(const std::shared_ptr<QueueCore>& queue) noexcept;

  /// Waits for all queues and lets go of those whose handles are gone; false if some work is not done by `deadline`.
  [[nodiscard]] bool drain(std::chrono::steady_clock::time_point deadline) noexcept;

 private:
  struct Entry {
    std::shared_ptr<QueueCore> queue;
    bool retired = false;
  };

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace anycl::detail
