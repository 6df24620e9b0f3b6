/// \file  What stands behind an Event handle. Layer 2 (context).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "anycl/context/event.hpp"
#include "base/label.hpp"
#include "context/native_context.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

/// One submission of one queue. Lives in its queue's store and goes back there with the last reference; while any is out,
/// the queue stays alive. Counted by hand: the launch path sets all references of a submission at once, and touches one
/// cache line.
class alignas(64) EventState {
 public:
  explicit EventState(QueueCore& queue) noexcept : queue_(queue) {}
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;

  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (drop()) return_to_queue();
  }
  /// Gives up one reference; true when it was the last, and the caller must see that the state goes back.
  [[nodiscard]] bool drop() noexcept { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // By the queue, with its lock held:
  void begin(Label label) noexcept;
  void submitted(cl_event native, std::uint64_t sequence, std::uint32_t references) noexcept;
  /// The driver has said, as an answer to a wait, that the work is done and did not fail.
  void completed() noexcept {
    if (final_status_.load(std::memory_order_relaxed) >= 0) final_status_.store(CL_COMPLETE, std::memory_order_release);
    confirmed_.store(true, std::memory_order_release);
  }
  /// Makes sure that work which is done did not fail: one driver calls failed work complete and tells the truth only to
  /// those who wait for it.
  void confirm() noexcept;
  [[nodiscard]] bool confirmed() const noexcept { return confirmed_.load(std::memory_order_acquire); }
  /// Lets go of the native event.
  void clear() noexcept;

  [[nodiscard]] cl_event native() const noexcept { return native_(); }
  [[nodiscard]] QueueCore& queue() const noexcept { return queue_; }
  /// Place among the submissions of its queue.
  [[nodiscard]] std::uint64_t sequence() const noexcept { return sequence_; }

  [[nodiscard]] EventStatus status() noexcept;
  /// The same for callers outside: sees to it that the work is begun.
  [[nodiscard]] EventStatus poll();
  void wait();
  /// Blocks until the work is done, however it ended.
  void settle();
  [[nodiscard]] bool wait_for(std::chrono::nanoseconds limit);
  [[nodiscard]] std::optional<std::uint64_t> duration_ns();

  /// Does what `wait()` does when the work failed; nothing when it did not.
  void throw_if_failed() const;
  /// True for work that has failed, as far as is known without asking the driver.
  [[nodiscard]] bool known_failed() const noexcept { return final_status_.load(std::memory_order_acquire) < 0; }
  /// The failure as text, empty when there is none.
  [[nodiscard]] std::string failure() const;

  /// Set when a caller has been told of the outcome, so that nobody reports it again.
  [[nodiscard]] bool reported() const noexcept { return reported_.load(std::memory_order_relaxed); }

 private:
  static constexpr cl_int kUnknown = CL_QUEUED;

  [[nodiscard]] cl_int await_end();
  void return_to_queue() noexcept;
  [[nodiscard]] cl_int execution_status() noexcept;
  [[nodiscard]] std::optional<std::uint64_t> timestamp(cl_profiling_info what) const;

  std::atomic<std::uint32_t> references_{0};
  std::atomic<cl_int> final_status_{kUnknown};  // CL_COMPLETE or an error code once known
  std::atomic<bool> confirmed_{false};
  mutable std::atomic<bool> reported_{false};
  cl::Event native_;
  std::uint64_t sequence_ = 0;
  Label label_ = nullptr;
  QueueCore& queue_;
  std::chrono::steady_clock::time_point submitted_at_{};  // only where the queue profiles
};

}  // namespace anycl::detail
