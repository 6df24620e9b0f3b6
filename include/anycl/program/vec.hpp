/// \file  OpenCL C's vectors on the host. Layer 3 (program).
#pragma once

#include <cstddef>
#include <type_traits>

#include "anycl/program/half.hpp"
#include "anycl/program/scalar.hpp"

namespace anycl {

/// `N` numbers in a row as a kernel sees them: `Vec<float, 4>` is `float4`, `Vec<std::uint8_t, 16>` is `uchar16`, in size and
/// alignment too. Three take the room of four, so `Vec<float, 3>` has 16 bytes, and a buffer of them is no run of packed
/// triples. Made as an aggregate: `Vec<float, 4>{1, 2, 3, 4}`; what is not given is zero.
template <class T, std::size_t N>
struct alignas(sizeof(T) * detail::room_of(N)) Vec {
  static_assert(N == 2 || N == 3 || N == 4 || N == 8 || N == 16, "OpenCL C has vectors of 2, 3, 4, 8 and 16");
  static_assert(detail::scalar_type<T>() != detail::ScalarType::none, "OpenCL C has vectors of its numbers only");
  static_assert(!std::is_same_v<T, bool>, "OpenCL C has no vectors of bool: take std::int8_t");

  using value_type = T;

  T lanes[N];

  [[nodiscard]] static constexpr std::size_t size() noexcept { return N; }

  [[nodiscard]] constexpr T& operator[](std::size_t lane) noexcept { return lanes[lane]; }
  [[nodiscard]] constexpr const T& operator[](std::size_t lane) const noexcept { return lanes[lane]; }
  [[nodiscard]] constexpr T* begin() noexcept { return lanes; }
  [[nodiscard]] constexpr const T* begin() const noexcept { return lanes; }
  [[nodiscard]] constexpr T* end() noexcept { return lanes + N; }
  [[nodiscard]] constexpr const T* end() const noexcept { return lanes + N; }

  /// True when all lanes are.
  friend constexpr bool operator==(const Vec& a, const Vec& b) noexcept {
    for (std::size_t i = 0; i < N; ++i)
      if (!(a.lanes[i] == b.lanes[i])) return false;
    return true;
  }
};

}  // namespace anycl
