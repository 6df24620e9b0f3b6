/// \file  What the stub keeps for each thread that calls it.
#pragma once

#include <array>
#include <cstddef>

namespace anycl::stub {

/// Not `thread_local`: the C library hands such memory of a library loaded later from thread to thread, and
/// ThreadSanitizer takes that for races.
class ThreadState {
 public:
  /// Of the calling thread; made on its first call, gone when it ends.
  [[nodiscard]] static ThreadState& mine();

  ThreadState() = default;
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState();

  const char* current_call = "no call";  ///< the OpenCL call that the thread is in, for messages

  /// Keeps the memory of a dead object for a while. Each thread has its own: a lock here would order threads that the
  /// program under test left unordered, and ThreadSanitizer would not see what it is there to see.
  void keep(void* memory) noexcept;

 private:
  std::array<void*, 256> kept_{};
  std::size_t next_ = 0;
};

}  // namespace anycl::stub
