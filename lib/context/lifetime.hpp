/// \file  Whether a context's native objects may still be touched. Layer 2 (context).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/os_process.hpp"

namespace anycl::detail {

/// Shared by everything that belongs to one context. Cheap enough to ask on each launch.
class Lifetime {
 public:
  /// \throws Cancelled      after `close()`, and while the process ends.
  /// \throws UsedAfterFork  in a child of the process that made the context.
  void check_usable() const {
    if (closed() || forked() || ending()) [[unlikely]]
      throw_unusable();
  }

  /// \throws UsedAfterFork  as above; a closed context may still be asked for what it remembers.
  void check_not_forked() const {
    if (forked()) [[unlikely]]
      throw_unusable();
  }

  /// True in a child of the process that made the context. Locks may be held there by threads that do not exist.
  [[nodiscard]] bool forked() const noexcept { return os::fork_generation() != born_in_; }

  /// True when drivers must not be called any more, not even to release: teardown ran into its limit, the process is
  /// ending, or this is a forked child. What is still held then is left to the system.
  [[nodiscard]] bool abandoned() const noexcept {
    return abandoned_.load(std::memory_order_acquire) || ending() || forked();
  }

  [[nodiscard]] bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }

  void close() noexcept { closed_.store(true, std::memory_order_release); }
  void abandon() noexcept { abandoned_.store(true, std::memory_order_release); }

  /// Set once, by the exit handler.
  static std::atomic<bool> process_ending;

 private:
  /// Exit handlers and destructors of static objects have begun: a driver's own may have run.
  [[nodiscard]] static bool ending() noexcept {
    return process_ending.load(std::memory_order_acquire) || os::thread_is_ending();
  }

  [[noreturn]] void throw_unusable() const;

  std::uint32_t born_in_ = os::fork_generation();
  std::atomic<bool> closed_{false};
  std::atomic<bool> abandoned_{false};
};

}  // namespace anycl::detail
