#include "base/os_regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/os_descriptor.hpp"

namespace anycl::os {
namespace {

FileContent no_regular_file() { return {.problem = "it is no regular file", .odd = true}; }

FileContent failed() { return {.problem = std::strerror(errno)}; }

}  // namespace

FileContent read_regular_file(const std::string& path, std::size_t size_limit) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return failed();
  if (!S_ISREG(facts.st_mode)) return no_regular_file();
  // What lies there may be another by now: O_NONBLOCK, and a second look.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.valid() || ::fstat(file.get(), &facts) != 0) return failed();
  if (!S_ISREG(facts.st_mode)) return no_regular_file();

  FileContent content;
  std::array<char, 4096> block{};
  while (content.text.size() <= size_limit) {  // the size in `facts` is not that of files in /proc and /sys
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed();
    if (got == 0) return content;
    content.text.append(block.data(), static_cast<std::size_t>(got));
  }
  return {.problem = fmt::format("it holds more than {} bytes", size_limit), .odd = true};
}

}  // namespace anycl::os
