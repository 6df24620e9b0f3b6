/// \file  The numbers behind the gaussian filter, shared by the host reference and the device. Layer 7 (image).
#pragma once

#include <cstddef>
#include <vector>

namespace anycl::image {

/// Pixels the window reaches to each side: int(4 sigma + 0.5), SciPy's default.
[[nodiscard]] std::size_t gaussian_radius(double sigma) noexcept;

/// 2 * gaussian_radius(sigma) + 1 weights proportional to exp(-x^2 / (2 sigma^2)); they sum to 1.
[[nodiscard]] std::vector<double> gaussian_weights(double sigma);

}  // namespace anycl::image
