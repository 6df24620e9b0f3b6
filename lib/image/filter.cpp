#include "anycl/image/filter.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace anycl::image {
namespace {

constexpr std::array<Parameter, 1> kGaussianParameters{{
    {.name = "sigma", .type = NumberType::real, .lowest = 0.01, .highest = 100, .fallback = {}, .unit = "pixels"},
}};

constexpr std::array<Parameter, 1> kMedianParameters{{
    {.name = "k", .type = NumberType::odd_integer, .lowest = 1, .highest = 31, .fallback = 3, .unit = "pixels"},
}};

constexpr std::array<Filter, 4> kFilters{{
    {.kind = FilterKind::gaussian,
     .name = "gaussian",
     .parameters = kGaussianParameters,
     .summary = "blurs; sigma is the standard deviation",
     .formula =
         "weights exp(-x^2 / (2 sigma^2)) for |x| <= int(4 sigma + 0.5), scaled to sum 1, along columns and rows; "
         "rounded half up",
     .largest_difference = 1,
     .exactness =
         "within 1: sums are in float, whose error (under 0.03) decides only where the exact value is near a half"},
    {.kind = FilterKind::median,
     .name = "median",
     .parameters = kMedianParameters,
     .summary = "removes specks; each value becomes the median of its k x k window",
     .formula = "value number (k^2 + 1) / 2 of the k^2 values in order",
     .largest_difference = 0,
     .exactness = "exact"},
    {.kind = FilterKind::sobel,
     .name = "sobel",
     .parameters = {},
     .summary = "finds edges; magnitude of the gradient, per channel",
     .formula = "min(255, floor(sqrt(gx^2 + gy^2) + 1/2)), gx and gy by the 3 x 3 Sobel masks (1 2 1)",
     .largest_difference = 0,
     .exactness = "exact"},
    {.kind = FilterKind::equalize,
     .name = "equalize",
     .parameters = {},
     .summary = "spreads the values of each channel over 0..255 by its histogram",
     .formula = "floor(255 (c(v) - cmin) / (N - cmin) + 1/2), N pixels, c(v) of them <= v, cmin = c(smallest value); "
                "a channel of one value stays",
     .largest_difference = 0,
     .exactness = "exact"},
}};

std::string_view describe(NumberType type) noexcept {
  switch (type) {
    case NumberType::real:
      return "a number";
    case NumberType::integer:
      return "an integer";
    case NumberType::odd_integer:
      return "an odd integer";
  }
  return "a number";
}

}  // namespace

std::span<const Filter> filters() noexcept { return kFilters; }

const Filter* find_filter(std::string_view name) noexcept {
  const auto found = std::find_if(kFilters.begin(), kFilters.end(), [&](const Filter& f) { return f.name == name; });
  return found == kFilters.end() ? nullptr : &*found;
}

std::string usage(const Filter& filter) {
  std::string text{filter.name};
  std::string_view before = "(";
  for (const Parameter& parameter : filter.parameters) {
    text.append(before).append(parameter.name);
    if (parameter.fallback) text.append(" = ").append(to_string(*parameter.fallback));
    before = ", ";
  }
  if (!filter.parameters.empty()) text += ')';
  return text;
}

std::string allowed(const Parameter& parameter) {
  std::string text{describe(parameter.type)};
  text.append(" from ").append(to_string(parameter.lowest)).append(" to ").append(to_string(parameter.highest));
  if (!parameter.unit.empty()) text.append(" ").append(parameter.unit);
  return text;
}

std::string to_string(double number) {
  std::array<char, 32> text{};  // the longest double takes 24
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

}  // namespace anycl::image
