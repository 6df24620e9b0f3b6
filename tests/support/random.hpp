/// \file  Repeatable random data: one seed gives one sequence on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::test {

/// The standard fixes the engine's sequence but not its distributions', so those are our own.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Any 64 bits.
  [[nodiscard]] std::uint64_t bits() { return engine_(); }

  /// In 0 .. limit - 1; `limit` is not 0. The bias is below limit / 2^64.
  [[nodiscard]] std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits() % limit); }

  /// In low .. high.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t offset = span == 0 ? bits() : bits() % span;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }

  /// `size` characters out of `alphabet`.
  [[nodiscard]] std::string text(std::size_t size, std::string_view alphabet) {
    std::string result(size, '\0');
    for (char& c : result) c = alphabet[below(alphabet.size())];
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

/// `size` integers in low .. high, as `T`.
template <class T = float>
[[nodiscard]] std::vector<T> random_integers(std::size_t size, std::uint64_t seed, std::int64_t low,
                                             std::int64_t high) {
  Random random(seed);
  std::vector<T> values(size);
  for (T& value : values) value = static_cast<T>(random.between(low, high));
  return values;
}

}  // namespace anycl::test
