#include "reference/image.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.hpp"

namespace anycl::test {
namespace {

/// Walks back into the picture from mirror image to mirror image.
long mirrored(long i, long size) {
  while (i < 0 || i >= size) i = i < 0 ? -1 - i : 2 * size - 1 - i;
  return i;
}

int value_at(const image::Picture& picture, long x, long y, int channel) {
  const auto column = static_cast<std::size_t>(mirrored(x, static_cast<long>(picture.width)));
  const auto row = static_cast<std::size_t>(mirrored(y, static_cast<long>(picture.height)));
  const auto channels = static_cast<std::size_t>(picture.channels);
  return picture.pixels[(row * picture.width + column) * channels + static_cast<std::size_t>(channel)];
}

template <class ValueOf>
image::Picture per_value(const image::Picture& picture, ValueOf value_of) {
  image::Picture result = picture;
  std::size_t i = 0;
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      for (int channel = 0; channel < picture.channels; ++channel, ++i) {
        if (channel >= image::colour_channels(picture)) continue;  // alpha
        result.pixels[i] = static_cast<std::uint8_t>(value_of(static_cast<long>(x), static_cast<long>(y), channel));
      }
    }
  }
  return result;
}

}  // namespace

image::Picture random_picture(std::size_t width, std::size_t height, int channels, std::uint64_t seed) {
  image::Picture picture{.width = width, .height = height, .channels = channels, .pixels = {}};
  picture.pixels = random_integers<std::uint8_t>(size_bytes(picture), seed, 0, 255);
  return picture;
}

double gaussian_value(const image::Picture& picture, double sigma, std::size_t x, std::size_t y, int channel) {
  const auto radius = static_cast<long>(4 * sigma + 0.5);
  double sum = 0;
  double weights = 0;
  for (long dy = -radius; dy <= radius; ++dy) {
    for (long dx = -radius; dx <= radius; ++dx) {
      const double weight = std::exp(-static_cast<double>(dx * dx + dy * dy) / (2 * sigma * sigma));
      weights += weight;
      sum += weight * value_at(picture, static_cast<long>(x) + dx, static_cast<long>(y) + dy, channel);
    }
  }
  return sum / weights;
}

image::Picture median_reference(const image::Picture& picture, int side) {
  std::vector<int> window;
  return per_value(picture, [&](long x, long y, int channel) {
    window.clear();
    for (long dy = -(side / 2); dy <= side / 2; ++dy) {
      for (long dx = -(side / 2); dx <= side / 2; ++dx) window.push_back(value_at(picture, x + dx, y + dy, channel));
    }
    std::sort(window.begin(), window.end());
    return window[window.size() / 2];
  });
}

image::Picture sobel_reference(const image::Picture& picture) {
  constexpr int kAcross[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  return per_value(picture, [&](long x, long y, int channel) {
    int gx = 0;
    int gy = 0;
    for (int dy = 0; dy < 3; ++dy) {
      for (int dx = 0; dx < 3; ++dx) {
        gx += kAcross[dy][dx] * value_at(picture, x + dx - 1, y + dy - 1, channel);
        gy += kAcross[dx][dy] * value_at(picture, x + dx - 1, y + dy - 1, channel);
      }
    }
    // r rounds half up when (r - 1/2)^2 <= square < (r + 1/2)^2; times four, so that all is whole.
    int root = 0;
    while (root < 255 && (2 * root + 1) * (2 * root + 1) <= 4 * (gx * gx + gy * gy)) ++root;
    return root;
  });
}

image::Picture equalize_reference(const image::Picture& picture) {
  const std::size_t pixels = picture.width * picture.height;
  const auto channels = static_cast<std::size_t>(picture.channels);
  const auto count_up_to = [&](int value, int channel) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < pixels; ++i)
      count += picture.pixels[i * channels + static_cast<std::size_t>(channel)] <= value ? 1 : 0;
    return count;
  };
  return per_value(picture, [&](long x, long y, int channel) {
    const int value = value_at(picture, x, y, channel);
    int smallest = 0;
    while (count_up_to(smallest, channel) == 0) ++smallest;
    const std::size_t cmin = count_up_to(smallest, channel);
    if (cmin == pixels) return value;
    // The largest r with r - 1/2 <= 255 (c - cmin) / (N - cmin).
    int r = 0;
    while (static_cast<std::size_t>(2 * r + 1) * (pixels - cmin) <= 510 * (count_up_to(value, channel) - cmin)) ++r;
    return r;
  });
}

}  // namespace anycl::test
