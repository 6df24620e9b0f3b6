/// \file  Other programs run under a time limit. Layer 0 (base).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::os {

/// A program to run: with an empty stdin, a pipe each for stdout and stderr, no other descriptor of ours, every signal at
/// its default and unblocked, and in a process group of its own.
struct ChildCommand {
  std::string program;                   ///< a path; nothing is searched for
  std::vector<std::string> arguments{};  ///< without the program's own name
  /// Changes to this process's environment: "NAME=value", or "NAME" to unset it.
  std::vector<std::string> environment{};
  std::chrono::milliseconds limit{60'000};
  std::size_t output_limit = std::size_t{1}
                             << 20;  ///< bytes kept of stdout, and of stderr; the rest is read and dropped
};

/// How a child ended, and what it said until then.
struct ChildResult {
  enum class End {
    exited,       ///< `code` is its exit code; -1 when another part of the process has taken it from us
    signalled,    ///< `code` is the signal that ended it
    timed_out,    ///< killed at its limit, with all that it had started
    not_started,  ///< `code` is the system's error number
  };
  End end = End::not_started;
  int code = 0;
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
  int unread = 0;      ///< the system's error number when not all that it said could be read

  [[nodiscard]] bool succeeded() const noexcept { return end == End::exited && code == 0; }

  /// What happened, to follow "it": "ended with exit code 3", "was ended by signal 6 (Aborted)", ...
  [[nodiscard]] std::string description() const;
};

/// Runs all commands at once and waits for the last. Leaves no zombie and no grandchild in the child's process group. Never
/// blocks longer than the longest limit and a second.
[[nodiscard]] std::vector<ChildResult> run_children(std::span<const ChildCommand> commands);

/// The same for one.
[[nodiscard]] ChildResult run_child(const ChildCommand& command);

/// For a program that is such a child: it ends when its parent does, and leaves no core file.
void behave_as_child();

/// For the same: it cannot have more than `bytes` of memory of its own, and is refused what goes beyond.
void limit_own_memory(std::uint64_t bytes);

/// For the same: the way back to the parent. While it lives, what anything else prints to stdout goes to stderr, so that
/// only what is said here comes out as `ChildResult::output`.
class PrivateOutput {
 public:
  PrivateOutput();
  ~PrivateOutput();
  PrivateOutput(const PrivateOutput&) = delete;
  PrivateOutput& operator=(const PrivateOutput&) = delete;

  /// At once, past all buffers.
  void say(std::string_view text) const noexcept;

 private:
  int descriptor_;
};

}  // namespace anycl::os
