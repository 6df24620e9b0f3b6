/// \file  What this process holds of the machine, now.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace anycl::test {

[[nodiscard]] inline std::size_t resident_bytes() {
  std::size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

[[nodiscard]] inline std::ptrdiff_t entries_of(const char* folder) {
  const std::filesystem::directory_iterator begin(folder);
  return std::distance(begin, std::filesystem::directory_iterator());
}

/// The one that counts them among them.
[[nodiscard]] inline std::ptrdiff_t open_files() { return entries_of("/proc/self/fd"); }

[[nodiscard]] inline std::ptrdiff_t running_threads() { return entries_of("/proc/self/task"); }

}  // namespace anycl::test
