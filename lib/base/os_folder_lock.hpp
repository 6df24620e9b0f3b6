/// \file  A lock that processes share. Layer 0 (base).
#pragma once

#include <chrono>
#include <string>

namespace anycl::os {

/// Keeps everybody else who asks for the lock of a folder waiting: other processes, and other threads of this one. The
/// folder itself is locked: no file is left behind, and a process that ends, however it does, lets go.
class FolderLock {
 public:
  /// Waits for its turn, `limit` at most. Holds nothing when that is over, or when the folder cannot be opened.
  FolderLock(const std::string& path, std::chrono::milliseconds limit) noexcept;

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  [[nodiscard]] bool is_held() const noexcept { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace anycl::os
