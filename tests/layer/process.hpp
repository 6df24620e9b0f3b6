/// \file  What the layer remembers of this process's calls, and its verdict when the process ends.
#pragma once

#include <cstdint>
#include <string_view>

#include "entries.hpp"

namespace anycl::test_layer {

/// The exit code of a process that a rule condemns, or whose rules cannot be read.
inline constexpr int kExitCode = 86;

/// One line on stderr.
void say(std::string_view line);

/// Says it and ends the process, with everything that stdio holds written.
[[noreturn]] void end_process(std::string_view line);

/// Says it, and at the end of the process it will not be forgotten.
void accuse(std::string_view line);

/// Counts the application's call and, under the rule `late`, reports it if it comes too late or from a callback.
/// Returns its number, from 1.
std::uint64_t note_call(Entry entry);
void note_refused_call() noexcept;

/// While it lives, this thread runs a callback that a driver called.
class InCallback {
 public:
  InCallback() noexcept;
  ~InCallback();
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
};

/// From here on every call is late, until it is taken back.
void mark_shutdown(bool shut_down) noexcept;

struct CallCounts {
  std::uint64_t calls, refused, late;
};
[[nodiscard]] CallCounts call_counts() noexcept;

/// To be called once, as the layer comes up.
void watch_process_end();

}  // namespace anycl::test_layer
