/// \file  Host types as OpenCL C knows them. Layer 3 (program).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace anycl {

class Half;
template <class T, std::size_t N>
struct Vec;

namespace detail {

/// Scalar types of OpenCL C as a launch check sees them.
enum class ScalarType : std::uint8_t {
  none,
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  half,
  float32,
  float64,
};

template <class T>
[[nodiscard]] consteval ScalarType scalar_type() {
  if constexpr (std::same_as<T, bool>)
    return ScalarType::boolean;
  else if constexpr (std::same_as<T, float>)
    return ScalarType::float32;
  else if constexpr (std::same_as<T, double>)
    return ScalarType::float64;
  else if constexpr (std::same_as<T, Half>)
    return ScalarType::half;
  else if constexpr (std::same_as<T, std::byte>)
    return ScalarType::uint8;
  else if constexpr (std::integral<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1)
      return is_signed ? ScalarType::int8 : ScalarType::uint8;
    else if constexpr (sizeof(T) == 2)
      return is_signed ? ScalarType::int16 : ScalarType::uint16;
    else if constexpr (sizeof(T) == 4)
      return is_signed ? ScalarType::int32 : ScalarType::uint32;
    else if constexpr (sizeof(T) == 8)
      return is_signed ? ScalarType::int64 : ScalarType::uint64;
    else
      return ScalarType::none;
  } else
    return ScalarType::none;
}

/// `long double`, `__int128` and their like: numbers, yet OpenCL C has none of their size. Not every compiler mode calls
/// them arithmetic.
template <class T>
inline constexpr bool wider_than_opencl = sizeof(T) > 8 && !std::is_class_v<T> &&
                                          !std::is_union_v<T> && std::is_convertible_v<T, int>;

/// What OpenCL C makes of a host type: so many numbers of one kind; none: a struct.
struct ElementType {
  ScalarType scalar = ScalarType::none;
  std::uint8_t lanes = 1;

  friend constexpr bool operator==(const ElementType&, const ElementType&) noexcept = default;
};

/// Numbers in memory: a vector of three has room for a fourth.
[[nodiscard]] constexpr std::size_t room_of(std::uint8_t lanes) noexcept { return lanes == 3 ? 4 : lanes; }

template <class T>
struct ElementOf {
  static constexpr ElementType value{scalar_type<T>(), 1};
};

template <class T, std::size_t N>
struct ElementOf<Vec<T, N>> {
  static constexpr ElementType value{scalar_type<T>(), N};
};

template <class T>
inline constexpr ElementType element_type = ElementOf<T>::value;

}  // namespace detail
}  // namespace anycl
