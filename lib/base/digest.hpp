/// \file  Digests and random bytes, by libsodium. Layer 0 (base).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace anycl {

using Digest = std::array<std::byte, 32>;

/// SHA-256 over a list of fields. Each field goes in with its length, so ("ab", "c") and ("a", "bc") differ.
class FieldHasher {
 public:
  FieldHasher();
  ~FieldHasher();
  FieldHasher(const FieldHasher&) = delete;
  FieldHasher& operator=(const FieldHasher&) = delete;

  void add(std::string_view field);
  [[nodiscard]] Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Keyed digest (BLAKE2b-256) of `content`: only a holder of `key` can make one.
[[nodiscard]] Digest keyed_digest(std::span<const std::byte> content, const Digest& key);

/// Comparison whose time does not depend on where the two differ.
[[nodiscard]] bool same_digest(const Digest& a, const Digest& b) noexcept;

[[nodiscard]] Digest random_digest();
[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);

/// `digits` random hexadecimal digits.
[[nodiscard]] std::string random_hex(std::size_t digits);

}  // namespace anycl
