#include "base/os_folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace anycl::os {
namespace {

using Clock = std::chrono::steady_clock;

/// flock() knows no time limit: asked again and again, at intervals that grow to a fiftieth of a second.
bool lock(int descriptor, Clock::time_point deadline) {
  std::chrono::milliseconds pause(1);
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace

FolderLock::FolderLock(const std::string& path, std::chrono::milliseconds limit) noexcept
    : descriptor_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || lock(descriptor_, Clock::now() + limit)) return;
  ::close(descriptor_);
  descriptor_ = -1;
}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::flock(descriptor_, LOCK_UN);  // closing is not enough: a child that was forked meanwhile has it open, too
  ::close(descriptor_);
}

}  // namespace anycl::os
