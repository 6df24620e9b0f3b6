/// \file  How many work-items a launch has, and in what groups. Layer 3 (program).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "anycl/export.hpp"

namespace anycl {

namespace detail {
[[noreturn]] ANYCL_API void throw_negative_extent(std::size_t dimension, std::int64_t value);

/// Some compilers call `__int128` an integer too; sizes would lose its upper half.
template <class I>
concept SizeInteger = std::integral<I> && sizeof(I) <= 8;
}  // namespace detail

/// One to three sizes; dimension 0 (x) varies fastest. Any integer type of up to 64 bits.
class Extents {
 public:
  /// \throws InvalidArgument  for a negative size.
  template <detail::SizeInteger... I>
    requires(sizeof...(I) >= 1 && sizeof...(I) <= 3)
  constexpr Extents(I... sizes)  // NOLINT(google-explicit-constructor): a number is a one-dimensional extent
      : dimensions_(sizeof...(I)) {
    std::size_t i = 0;
    ((sizes_[i] = checked(i, sizes), ++i), ...);
  }

  [[nodiscard]] constexpr std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] constexpr std::size_t operator[](std::size_t dimension) const noexcept { return sizes_[dimension]; }
  [[nodiscard]] constexpr const std::size_t* data() const noexcept { return sizes_.data(); }

  friend constexpr bool operator==(const Extents&, const Extents&) noexcept = default;

 private:
  template <class I>
  static constexpr std::size_t checked(std::size_t dimension, I value) {
    if constexpr (std::is_signed_v<I>)
      if (value < 0) detail::throw_negative_extent(dimension, static_cast<std::int64_t>(value));
    return static_cast<std::size_t>(value);
  }

  std::array<std::size_t, 3> sizes_{1, 1, 1};
  std::size_t dimensions_;
};

/// The NDRange of a launch: a global size, and a local size if the kernel cares. Any global size is legal and the kernel
/// sees exactly that size, unless the range is `padded()`.
class Range {
 public:
  /// Only a global size: `Range(n)`, `Range{w, h}`; groups are the driver's choice.
  template <detail::SizeInteger... I>
    requires(sizeof...(I) >= 1 && sizeof...(I) <= 3)
  constexpr Range(I... sizes) : global_(sizes...), local_(1) {}           // NOLINT(google-explicit-constructor)
  constexpr Range(const Extents& global) : global_(global), local_(1) {}  // NOLINT(google-explicit-constructor)

  /// Global and local size, of as many dimensions: `Range{{w, h}, {16, 16}}`. The local one must divide the global one.
  constexpr Range(const Extents& global, const Extents& local) : global_(global), local_(local), has_local_(true) {}

  /// Allows the launch to round the global size up to whole groups: for kernels that guard (`if (i < n)`).
  [[nodiscard]] constexpr Range padded() const noexcept {
    Range range = *this;
    range.padded_ = true;
    return range;
  }

  [[nodiscard]] constexpr const Extents& global() const noexcept { return global_; }
  [[nodiscard]] constexpr const Extents& local() const noexcept { return local_; }
  [[nodiscard]] constexpr bool has_local() const noexcept { return has_local_; }
  [[nodiscard]] constexpr bool is_padded() const noexcept { return padded_; }

 private:
  Extents global_;
  Extents local_;
  bool has_local_ = false;
  bool padded_ = false;
};

}  // namespace anycl
