/// \file  Writing and reading plain binary records. Layer 0 (base).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anycl {

/// Appends little-endian numbers and length-prefixed texts.
class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xffu));
  }
  void text(std::string_view value) {
    number(value.size());
    raw(std::as_bytes(std::span(value.data(), value.size())));
  }
  void blob(std::span<const std::byte> value) {
    number(value.size());
    raw(value);
  }
  void raw(std::span<const std::byte> value) { bytes_.insert(bytes_.end(), value.begin(), value.end()); }

  [[nodiscard]] std::vector<std::byte>& bytes() noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote. A record that ends early gives zeros and empty values and `failed()`.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    const auto bytes = raw(8);
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    return value;
  }
  [[nodiscard]] std::span<const std::byte> blob() noexcept { return raw(number()); }
  [[nodiscard]] std::string text() {
    const auto bytes = blob();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] std::span<const std::byte> raw(std::uint64_t size) noexcept {
    if (size > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(static_cast<std::size_t>(size));
    return taken;
  }

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool failed_ = false;
};

}  // namespace anycl
