/// \file  A macro for a kernel's source. Layer 3 (program).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "anycl/export.hpp"
#include "anycl/program/scalar.hpp"

namespace anycl {

/// Stands for a type, where a definition takes a value: `type<float>`.
template <class T>
struct Type {};

template <class T>
inline constexpr Type<T> type{};

namespace detail {

/// What OpenCL C calls the host's `T`.
template <class T>
struct TypeInKernels {
  static_assert(!std::same_as<T, bool>, "bool has no size in OpenCL C: define an integer type, such as std::uint8_t");
  static_assert(!std::is_pointer_v<T>, "kernels have other pointers than the host: define the type pointed to");
  static_assert(!wider_than_opencl<T>, "OpenCL C has no long double and no 128-bit integer");
  static_assert(element_type<T>.scalar != ScalarType::none || std::is_pointer_v<T> || wider_than_opencl<T>,
                "OpenCL C does not know this type: define that of a number or an anycl::Vec, or a name as text");
  static constexpr ElementType type = element_type<T>;
};

}  // namespace detail

/// A name and what stands for it in a kernel's source: a number, a type or any text of one line.
class ANYCL_API Definition {
 public:
  /// `value` arrives as written, or is refused.
  /// \throws InvalidArgument  when `name` is not an identifier, or `value` would not reach each compiler as it is: with a line
  ///                          end, a zero byte, a comment, an open quote, `##`, a trigraph, and outside of literals anything
  ///                          but printable ASCII and blanks.
  Definition(std::string_view name, std::string_view value);
  Definition(std::string_view name, std::nullptr_t) = delete;

  /// Numbers are written so that the compiler reads back the same value; the locale plays no part. An integer becomes an
  /// int constant where it fits, else a long, uint or ulong; float and double keep their type.
  /// \throws InvalidArgument  for infinities and NaN, which have no constants.
  template <class T>
    requires std::is_arithmetic_v<T> Definition(std::string_view name, T value)
        : Definition(name, std::string_view(constant(name, widened(value)))) {}

    /// OpenCL C's name of the type: `uint` for std::uint32_t, `float4` for Vec<float, 4>, `half` for Half.
    template <class T>
    Definition(std::string_view name, Type<T>)
        : Definition(name, std::string_view(type_name(detail::TypeInKernels<std::remove_cv_t<T>>::type))) {}

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::string& value() const noexcept { return value_; }

   private:
    template <class T>
    [[nodiscard]] static constexpr auto widened(T value) noexcept {
      static_assert(!detail::wider_than_opencl<T>, "OpenCL C has no long double and no 128-bit integer");
      if constexpr (std::floating_point<T>)
        return value;
      else if constexpr (std::signed_integral<T> || std::same_as<T, bool>)
        return static_cast<std::int64_t>(value);
      else
        return static_cast<std::uint64_t>(value);
    }
    [[nodiscard]] static std::string constant(std::string_view name, float value);
    [[nodiscard]] static std::string constant(std::string_view name, double value);
    [[nodiscard]] static std::string constant(std::string_view name, std::int64_t value);
    [[nodiscard]] static std::string constant(std::string_view name, std::uint64_t value);
    [[nodiscard]] static std::string type_name(detail::ElementType type);

    std::string name_;
    std::string value_;
};

}  // namespace anycl
