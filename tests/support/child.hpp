/// \file  Running tests of this program in a process of their own: for what can happen once per process only (the choice
/// of a loader), for other environments, and for ends of processes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace anycl::test {

/// A child that takes longer hangs, however busy the machine is.
inline constexpr std::chrono::seconds kHangLimit(180);

struct ChildResult {
  int exit_code = -1;  ///< -1: ended by a signal, or by the time limit
  int signal = 0;      ///< that ended it
  bool timed_out = false;
  std::string output;  ///< stdout and stderr together
};

/// Runs `file arguments...` with `changes` ("NAME=value", or "NAME" to unset it) made to this process's environment.
[[nodiscard]] ChildResult run_child(const std::string& file, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& changes = {},
                                    std::chrono::seconds limit = kHangLimit);

/// Runs the test cases of this program that `tag`, such as "[alone]", names. Tag them "[.][alone]" and nothing else: that
/// hides them from ordinary runs. A tag without a test case gives a non-zero exit code.
[[nodiscard]] ChildResult run_hidden_test(const std::string& tag, const std::vector<std::string>& changes = {},
                                          std::chrono::seconds limit = kHangLimit);

/// The same of another test program, `program`, which stands beside this one.
[[nodiscard]] ChildResult run_hidden_test_of(const std::string& program, const std::string& tag,
                                             const std::vector<std::string>& changes = {},
                                             std::chrono::seconds limit = kHangLimit);

/// Status of the child `child`, as waitpid() gives it; nothing when it had to be killed at the end of `limit`.
[[nodiscard]] std::optional<int> wait_for_child(int child, std::chrono::seconds limit);

/// What `in_forked_child` returns for a child that had to be killed.
inline constexpr int kHung = -2;

/// Exit code of `body` in a forked child; kHung when it does not end within 30 s, -100 minus the signal that killed it.
[[nodiscard]] int in_forked_child(const std::function<int()>& body);

/// Ends a forked child with no destructor and no exit handler, like _exit(); but what has run in it counts as covered.
[[noreturn]] void end_forked_child(int code) noexcept;

}  // namespace anycl::test
