/// \file  The middle of many measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// Of at least one value.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}
