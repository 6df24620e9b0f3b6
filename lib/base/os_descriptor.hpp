/// \file  Owning a file descriptor. Layer 0 (base).
#pragma once

#include <unistd.h>

#include <utility>

namespace anycl::os {

/// Closes a file descriptor on scope exit.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) noexcept : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close() noexcept {
    if (value_ >= 0) ::close(std::exchange(value_, -1));
  }
  [[nodiscard]] int get() const noexcept { return value_; }
  [[nodiscard]] bool valid() const noexcept { return value_ >= 0; }
  [[nodiscard]] int release() noexcept { return std::exchange(value_, -1); }

 private:
  int value_ = -1;
};

}  // namespace anycl::os
