#include "gaussian.hpp"

#include <cmath>

namespace anycl::image {

std::size_t gaussian_radius(double sigma) noexcept { return static_cast<std::size_t>(4.0 * sigma + 0.5); }

std::vector<double> gaussian_weights(double sigma) {
  const std::size_t radius = gaussian_radius(sigma);
  std::vector<double> weights(2 * radius + 1);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double deviation = (static_cast<double>(i) - static_cast<double>(radius)) / sigma;
    weights[i] = std::exp(-0.5 * deviation * deviation);
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace anycl::image
