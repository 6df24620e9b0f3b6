/// \file  What a kernel is built with. Layer 3 (program).
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

#include "anycl/export.hpp"

namespace anycl {

/// Macro definitions for a kernel, by name. They reach the compiler as `#define` lines ahead of the source, so values
/// with blanks, commas, braces or quotes arrive as written on every driver.
class ANYCL_API BuildOptions {
 public:
  /// Defines `name`; an earlier value is replaced.
  /// \throws InvalidArgument  when `name` is not an identifier or `value` has a line end or a zero byte.
  BuildOptions& define(std::string_view name, std::string_view value = "1");

  /// Numbers are written so that the compiler reads back the same value; the locale plays no part. An integer becomes an
  /// int constant where it fits, else a long, uint or ulong; float and double keep their type.
  template <class T>
  requires std::is_arithmetic_v<T> BuildOptions& define(std::string_view name, T value) {
    if constexpr (std::same_as<T, bool>)
      return define(name, std::string_view(value ? "1" : "0"));
    else if constexpr (std::same_as<T, float>)
      return define_float(name, value);
    else if constexpr (std::floating_point<T>)
      return define_double(name, static_cast<double>(value));
    else if constexpr (std::signed_integral<T>)
      return define_signed(name, static_cast<std::int64_t>(value));
    else
      return define_unsigned(name, static_cast<std::uint64_t>(value));
  }

  [[nodiscard]] const std::map<std::string, std::string>& defines() const noexcept { return defines_; }

 private:
  BuildOptions& define_float(std::string_view name, float value);
  BuildOptions& define_double(std::string_view name, double value);
  BuildOptions& define_signed(std::string_view name, std::int64_t value);
  BuildOptions& define_unsigned(std::string_view name, std::uint64_t value);

  std::map<std::string, std::string> defines_;  // sorted: one set of definitions is one cache key
};

}  // namespace anycl
