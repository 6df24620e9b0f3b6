/// \file  The completion of one piece of work. Layer 2 (context).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "anycl/export.hpp"

namespace anycl {

/// deferred: waits on the host for other work; submitted: the driver has it; the others are final.
enum class EventStatus { deferred, submitted, complete, failed, cancelled };

[[nodiscard]] ANYCL_API std::string_view to_string(EventStatus status) noexcept;

namespace detail {
class EventState;
}

/// Tells when a launch or transfer is done and whether it worked. A cheap handle: copies name the same event, and
/// dropping all of them loses nothing, an error is then kept for `Queue::finish()`. A default one is complete.
/// Thread safety: any thread may query and wait; assigning a handle is exclusive.
class ANYCL_API Event {
 public:
  Event() noexcept = default;
  Event(const Event& other) noexcept : state_(other.state_) { retain(); }
  Event(Event&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  Event& operator=(Event other) noexcept {
    detail::EventState* mine = state_;
    state_ = other.state_;
    other.state_ = mine;
    return *this;
  }
  ~Event() { release(); }

  /// Never blocks, never throws for work that failed. Sees to it that the work is begun, so asking again and again ends.
  [[nodiscard]] EventStatus status() const;

  /// Blocks until the work is done.
  /// \throws ClError, OutOfMemory, DeviceLost  when the work failed; names what failed, on which device.
  void wait() const;

  /// Blocks for at most `limit`; true when the work is done. Throws as `wait()`.
  bool wait_for(std::chrono::nanoseconds limit) const;

  /// Device time from start to end of the work; blocks as `wait()`. Empty when the queue does not profile or the
  /// driver's time stamps cannot be right.
  [[nodiscard]] std::optional<std::uint64_t> duration_ns() const;

  /// Library internals; not part of the API. Takes over one reference.
  explicit Event(detail::EventState* state) noexcept : state_(state) {}
  [[nodiscard]] detail::EventState* state() const noexcept { return state_; }

 private:
  void retain() const noexcept;
  void release() const noexcept;

  detail::EventState* state_ = nullptr;
};

}  // namespace anycl
