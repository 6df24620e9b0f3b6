/// \file  Each image filter in the ways that make a difference to it.
#pragma once

#include <string>
#include <vector>

#include "anycl/image/filter.hpp"

namespace anycl::test {

/// Numbers for one parameter: its lowest, and those from which on a filter works in another way.
[[nodiscard]] inline std::vector<double> samples(const image::Parameter& parameter) {
  if (parameter.type == image::NumberType::real) return {parameter.lowest, 0.6};
  return {parameter.lowest, 3, 5, 7};
}

/// "sobel"; "median(1)", "median(3)", ...; all parameters of a filter change together.
[[nodiscard]] inline std::vector<std::string> filter_uses(const image::Filter& filter) {
  if (filter.parameters.empty()) return {std::string(filter.name)};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < samples(filter.parameters.front()).size(); ++i) {
    std::string text(filter.name);
    std::string before = "(";
    for (const image::Parameter& parameter : filter.parameters) {
      text += before + image::to_string(samples(parameter).at(i));
      before = ", ";
    }
    texts.push_back(text + ")");
  }
  return texts;
}

}  // namespace anycl::test
