/// \file  What stands behind a Queue handle. Layer 2 (context).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "anycl/context/queue.hpp"
#include "context/event_state.hpp"
#include "context/native_context.hpp"
#include "context/wait_list.hpp"
#include "device/check.hpp"

namespace anycl::detail {

class QueueRegistry;

/// One in-order native queue. Any thread.
class QueueCore : public std::enable_shared_from_this<QueueCore> {
 public:
  QueueCore(std::shared_ptr<NativeContext> context, Device device, std::size_t device_index, QueueOptions options,
            std::weak_ptr<QueueRegistry> registry);
  ~QueueCore();
  QueueCore(const QueueCore&) = delete;
  QueueCore& operator=(const QueueCore&) = delete;

  [[nodiscard]] const Device& device() const noexcept { return device_; }
  /// Place of the device in its anycl context.
  [[nodiscard]] std::size_t device_index() const noexcept { return device_index_; }
  [[nodiscard]] NativeContext& context() const noexcept { return *context_; }
  [[nodiscard]] const std::shared_ptr<NativeContext>& shared_context() const noexcept { return context_; }
  [[nodiscard]] Lifetime& lifetime() const noexcept { return context_->lifetime(); }
  [[nodiscard]] cl_command_queue native() const noexcept { return handle_(); }
  [[nodiscard]] bool profiling() const noexcept { return options_.profiling; }

  /// Runs `enqueue(queue, wait_count, waits, event)` and gives the event of the work. `label` is what messages call it.
  /// \throws  when the driver refuses; nothing is enqueued then.
  template <class Enqueue>
  Event submit(const WaitList& waits, const Label& label, Enqueue&& enqueue) {
    lifetime().check_usable();
    auto* state = new EventState(shared_from_this(), label);
    const Event event(state);
    cl_event native = nullptr;
    const cl_int code = enqueue(handle_(), waits.size(), waits.data(), &native);
    if (code != CL_SUCCESS) [[unlikely]]
      throw_refused(code, *label);
    state->submitted(native, enqueued_.fetch_add(1, std::memory_order_acq_rel) + 1);
    track(event);
    return event;
  }

  /// The handle is gone; the registry decides how long the rest stays.
  void retire() noexcept;

  /// Keeps `object` alive until `event` is done.
  void keep(const Event& event, std::shared_ptr<void> object);

  /// Makes sure that the driver was told to start the submission numbered `sequence`.
  void flush_through(std::uint64_t sequence);
  void flush();
  void finish();

  /// Waits until all work is done, at most until `deadline`; false if it is not. Never throws, calls nothing that can
  /// block without limit.
  [[nodiscard]] bool drain(std::chrono::steady_clock::time_point deadline) noexcept;

  /// True when all work is known to be done, without blocking. Errors that nobody was told of are logged.
  [[nodiscard]] bool idle() noexcept;

 private:
  static constexpr std::size_t kFirstLook = 1024;

  struct Kept {
    Event event;
    std::shared_ptr<void> object;
  };

  [[noreturn]] void throw_refused(cl_int code, const std::string& label) const;
  void track(const Event& event);
  void forget_done() noexcept;

  std::shared_ptr<NativeContext> context_;
  Device device_;
  std::size_t device_index_;
  QueueOptions options_;
  std::weak_ptr<QueueRegistry> registry_;
  cl::CommandQueue handle_;
  std::atomic<std::uint64_t> enqueued_{0};
  std::atomic<std::uint64_t> flushed_{0};

  // Work not known to be done: an error must not get lost because its event was dropped.
  std::mutex tracked_mutex_;
  std::vector<Event> tracked_;
  std::size_t look_at_ = kFirstLook;  // how many tracked events are worth a round of questions to the driver
  std::vector<Kept> kept_;
  Event first_failed_;
};

/// All queues of one context. Holds those that still have work after their handles are gone.
class QueueRegistry {
 public:
  void add(std::shared_ptr<QueueCore> queue);

  /// Lets go of a queue whose handle is gone, at once if it is idle, else when it is.
  void retire(const std::shared_ptr<QueueCore>& queue) noexcept;

  /// Waits for all queues and lets go of them; false if some work is not done by `deadline`.
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
