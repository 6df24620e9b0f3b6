/// \file  What filters exist, as data: the parser, the help texts and the checks all read this table. Layer 7 (image).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "anycl/export.hpp"

namespace anycl::image {

enum class FilterKind { gaussian, median, sobel, equalize };

enum class NumberType { real, integer, odd_integer };

/// One number that a filter takes in its brackets. Bounds are inclusive.
struct Parameter {
  std::string_view name;
  NumberType type = NumberType::real;
  double lowest = 0;
  double highest = 0;
  std::optional<double> fallback;  ///< used when the number is left out; empty: the number is required
  std::string_view unit;           ///< "pixels"
};

/// One filter. Everything here lives as long as the program.
struct Filter {
  FilterKind kind;
  std::string_view name;  ///< as written in a pipeline
  std::span<const Parameter> parameters;
  std::string_view summary;    ///< what it does, in one line
  std::string_view formula;    ///< what it computes, exactly
  int largest_difference = 0;  ///< from the host reference, per byte, when both get the same input; 0: exact
  std::string_view exactness;  ///< the same in words, with the reason
};

/// All filters, in the order in which help texts list them.
[[nodiscard]] ANYCL_API std::span<const Filter> filters() noexcept;

/// The filter of that exact name, or null.
[[nodiscard]] ANYCL_API const Filter* find_filter(std::string_view name) noexcept;

/// "gaussian(sigma)", "median(k = 3)", "sobel".
[[nodiscard]] ANYCL_API std::string usage(const Filter& filter);

/// "a number from 0.01 to 100 pixels", "an odd integer from 1 to 31 pixels".
[[nodiscard]] ANYCL_API std::string allowed(const Parameter& parameter);

/// The shortest text that reads back as `number`; the same in every locale.
[[nodiscard]] ANYCL_API std::string to_string(double number);

}  // namespace anycl::image
