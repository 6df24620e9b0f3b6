/// \file  OpenCL C's half on the host. Layer 3 (program).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "anycl/program/scalar.hpp"

namespace anycl {

/// A binary16 number of IEEE 754, as OpenCL C's `half`: 11 bits of precision, to 65504. Storage: it is computed with as the
/// float that it converts to, exactly. Each NaN stays a NaN of its sign.
class Half {
 public:
  constexpr Half() noexcept = default;

  /// Rounded once, to the nearest, of two as near to the even one; from 65520 on to infinity.
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit Half(T value) noexcept : bits_(rounded(value)) {}

  [[nodiscard]] static constexpr Half from_bits(std::uint16_t bits) noexcept {
    Half half;
    half.bits_ = bits;
    return half;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }

  constexpr operator float() const noexcept {  // NOLINT(google-explicit-constructor): every half is a float
    const std::uint32_t sign = std::uint32_t{bits_} >> 15 << 31;
    const std::uint32_t exponent = bits_ >> 10 & 0x1f;
    const std::uint32_t fraction = bits_ & 0x3ff;
    if (exponent == 0) {  // zero, or that many times 2^-24
      const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
      return sign != 0 ? -magnitude : magnitude;
    }
    if (exponent == 0x1f) {  // infinity or NaN, which becomes a quiet one
      const std::uint32_t quiet = fraction != 0 ? 1u << 22 : 0;
      return std::bit_cast<float>(sign | 0xffu << 23 | quiet | fraction << 13);
    }
    return std::bit_cast<float>(sign | (exponent - 15 + 127) << 23 | fraction << 13);
  }

  /// As numbers: -0 is 0, NaN is nothing.
  friend constexpr bool operator==(Half a, Half b) noexcept { return float(a) == float(b); }

 private:
  template <class T>
  [[nodiscard]] static constexpr std::uint16_t rounded(T value) noexcept {
    static_assert(!detail::wider_than_opencl<T>, "OpenCL C has no long double and no 128-bit integer");
    if constexpr (std::is_same_v<T, float>) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      return rounded(bits >> 31, (bits >> 23 & 0xff) - 127, bits & 0x7fffff, 23, 128);
    } else if constexpr (std::is_same_v<T, double>) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      return rounded(static_cast<std::uint32_t>(bits >> 63), static_cast<std::uint32_t>(bits >> 52 & 0x7ff) - 1023,
                     bits & 0xfffffffffffff, 52, 1024);
    } else {
      return rounded(static_cast<double>(value));  // exact below 2^53, and far above 65520 beyond
    }
  }

  /// Of 1.`fraction` times 2 to the `exponent`, with `width` bits of fraction; an exponent of `special` means infinity or NaN.
  [[nodiscard]] static constexpr std::uint16_t rounded(std::uint32_t sign, std::uint32_t biased, std::uint64_t fraction,
                                                       int width, int special) noexcept {
    const auto exponent = static_cast<int>(biased);
    const auto signed_bits = [sign](std::uint64_t magnitude) {
      return static_cast<std::uint16_t>(sign << 15 | static_cast<std::uint32_t>(magnitude));
    };
    if (exponent == special) return signed_bits(fraction == 0 ? 0x7c00 : 0x7e00 | fraction >> (width - 10));
    if (exponent > 15) return signed_bits(0x7c00);
    if (exponent < -25) return signed_bits(0);  // less than half of the least one
    // Below 2^-14 the step stays that of 2^-14, and there is no leading one to leave out.
    const int shift = width - 10 + (exponent < -14 ? -14 - exponent : 0);
    const std::uint64_t whole = std::uint64_t{1} << width | fraction;
    const std::uint64_t kept = whole >> shift;
    const std::uint64_t rest = whole & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t middle = std::uint64_t{1} << (shift - 1);
    const bool up = rest > middle || (rest == middle && (kept & 1) != 0);
    // A carry out of the fraction goes into the exponent, where it belongs, up to infinity.
    const std::uint64_t base = exponent < -14 ? 0 : static_cast<std::uint64_t>(exponent + 14) << 10;
    return signed_bits(base + kept + (up ? 1 : 0));
  }

  std::uint16_t bits_ = 0;
};

static_assert(sizeof(Half) == 2 && std::is_trivially_copyable_v<Half>);

}  // namespace anycl
