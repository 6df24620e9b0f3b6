#include "os_input_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "anycl/base/error.hpp"

namespace anycl::command {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw IoError(fmt::format("cannot read {}: {}", path, why));
}

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

std::size_t size_of(const Descriptor& file, const std::string& path) {
  struct stat facts {};
  if (::fstat(file.number(), &facts) != 0) refuse(path, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) refuse(path, "it is a folder; name a file in it");
  if (!S_ISREG(facts.st_mode)) refuse(path, "it is not a regular file; save what it holds to one first");
  return static_cast<std::size_t>(facts.st_size);
}

/// Fewer bytes than `bytes` holds when the file shrinks meanwhile.
std::size_t fill(const Descriptor& file, std::vector<std::uint8_t>& bytes, const std::string& path) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::string& path, std::size_t limit) {
  // Opening a pipe would otherwise block until somebody writes to it.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) refuse(path, std::strerror(errno));
  const std::size_t size = size_of(file, path);
  if (size > limit)
    throw IoError(fmt::format("cannot read {}: it has {} bytes; at most {} are read", path, size, limit));
  std::vector<std::uint8_t> bytes(size);
  bytes.resize(fill(file, bytes, path));
  return bytes;
}

}  // namespace anycl::command
