/// \file  Facts about this process. Layer 0 (base).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::os {

namespace detail {
extern std::atomic<std::uint32_t> fork_count;
// One byte that a launch asks for: not worth a call.
extern constinit thread_local bool thread_is_ending [[gnu::tls_model("initial-exec")]];
}  // namespace detail

/// Rises in every forked child: an object that remembers an older value was made in a parent process.
[[nodiscard]] inline std::uint32_t fork_generation() noexcept {
  return detail::fork_count.load(std::memory_order_relaxed);
}

/// Makes `fork_generation()` count from now on. Safe to call often.
void watch_forks();

/// Has `function` called when the main thread returns from main() or calls exit(), before any exit handler and any
/// destructor of a static object. Called on another thread it does nothing.
void before_exit_handlers(void (*function)() noexcept);

/// Makes `thread_is_ending()` tell of the main thread's end. Called on another thread it does nothing.
void watch_main_thread();

/// True on a main thread that has called one of the two above and has left: thread-local objects are gone, a driver's
/// among them, and what runs now are exit handlers and destructors of static objects.
[[nodiscard]] inline bool thread_is_ending() noexcept { return detail::thread_is_ending; }

/// True when the process runs with another user's rights (set-uid): the environment is then not to be trusted.
[[nodiscard]] bool is_privileged() noexcept;

/// The user's home as the password database has it; nothing when there is none.
[[nodiscard]] std::optional<std::string> home_from_passwd();

/// Instruction sets of this machine's processor, as the system words them; one fixed text per machine.
[[nodiscard]] const std::string& processor_features();

/// One line that changes with the limits on what this process may take of the system.
[[nodiscard]] std::string resource_limits();

/// All "NAME=value" of the environment whose names begin with `prefix`.
[[nodiscard]] std::vector<std::string> environment_with_prefix(std::string_view prefix);

}  // namespace anycl::os
