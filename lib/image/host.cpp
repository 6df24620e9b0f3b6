#include "anycl/image/host.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "anycl/base/error.hpp"
#include "gaussian.hpp"

namespace anycl::image {
namespace {

using Table = std::array<std::uint8_t, 256>;

std::string shape(const Picture& picture) {
  return std::to_string(picture.width) + " x " + std::to_string(picture.height) + " x " +
         std::to_string(picture.channels);
}

void require_valid(const Picture& picture) {
  const bool valid = picture.width > 0 && picture.height > 0 && picture.channels >= 1 && picture.channels <= 4;
  if (!valid)
    throw InvalidArgument("picture: " + shape(picture) +
                          " is no picture; it takes at least 1 x 1 pixels of 1 to 4 channels");
  if (picture.pixels.size() != size_bytes(picture)) {
    throw InvalidArgument("picture: " + shape(picture) + " needs " + std::to_string(size_bytes(picture)) +
                          " bytes, but pixels holds " + std::to_string(picture.pixels.size()));
  }
}

/// Index of the pixel that stands at `i` when the edges mirror: d c b a | a b c d | d c b a.
std::size_t reflect(std::ptrdiff_t i, std::size_t size) noexcept {
  const auto period = static_cast<std::ptrdiff_t>(2 * size);
  const auto folded = static_cast<std::size_t>(((i % period) + period) % period);
  return folded < size ? folded : 2 * size - 1 - folded;
}

/// reflect(i - radius, size) for i in [0, size + 2 * radius): where a window of that radius reads.
std::vector<std::size_t> reflected_indices(std::size_t size, std::size_t radius) {
  std::vector<std::size_t> indices(size + 2 * radius);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    indices[i] = reflect(static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(radius), size);
  }
  return indices;
}

std::size_t row_size(const Picture& picture) noexcept {
  return picture.width * static_cast<std::size_t>(picture.channels);
}

const std::uint8_t* row(const Picture& picture, std::size_t y) noexcept {
  return picture.pixels.data() + y * row_size(picture);
}

std::uint8_t round_half_up(double value) noexcept {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

/// Calls `filter(y, x, channel)` for every colour value and stores what it returns; `result` starts as a copy of the
/// source, so alpha stays.
template <class PerValue>
void for_each_colour(Picture& result, PerValue&& filter) {
  const auto channels = static_cast<std::size_t>(result.channels);
  const auto colours = static_cast<std::size_t>(colour_channels(result));
  std::uint8_t* out = result.pixels.data();
  for (std::size_t y = 0; y < result.height; ++y) {
    for (std::size_t x = 0; x < result.width; ++x, out += channels) {
      for (std::size_t channel = 0; channel < colours; ++channel) out[channel] = filter(y, x, channel);
    }
  }
}

/// Row after row: down the columns into one row of doubles, then along that row.
Picture gaussian(const Picture& source, double sigma) {
  const std::vector<double> weights = gaussian_weights(sigma);
  const std::size_t radius = gaussian_radius(sigma);
  const std::vector<std::size_t> rows = reflected_indices(source.height, radius);
  const std::vector<std::size_t> columns = reflected_indices(source.width, radius);
  const auto channels = static_cast<std::size_t>(source.channels);
  const auto colours = static_cast<std::size_t>(colour_channels(source));

  Picture result = source;
  std::vector<double> blurred(row_size(source));
  std::vector<double> bordered(columns.size() * channels);  // the same row with its mirrored borders
  std::vector<double> sums(row_size(source));
  for (std::size_t y = 0; y < source.height; ++y) {
    std::fill(blurred.begin(), blurred.end(), 0.0);
    for (std::size_t tap = 0; tap < weights.size(); ++tap) {
      const std::uint8_t* in = row(source, rows[y + tap]);
      for (std::size_t i = 0; i < blurred.size(); ++i) blurred[i] += weights[tap] * in[i];
    }

    for (std::size_t x = 0; x < columns.size(); ++x) {
      for (std::size_t channel = 0; channel < channels; ++channel) {
        bordered[x * channels + channel] = blurred[columns[x] * channels + channel];
      }
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t tap = 0; tap < weights.size(); ++tap) {
      const double* in = bordered.data() + tap * channels;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weights[tap] * in[i];
    }

    std::uint8_t* out = result.pixels.data() + y * row_size(source);
    for (std::size_t x = 0; x < source.width; ++x) {
      for (std::size_t channel = 0; channel < colours; ++channel) {
        out[x * channels + channel] = round_half_up(sums[x * channels + channel]);
      }
    }
  }
  return result;
}

/// How often each value occurs in a window, and the value in the middle. The middle moves little from one window to
/// the next, so it is searched from where it was.
class Window {
 public:
  void add(std::uint8_t value) noexcept {
    ++occurrences_[value];
    ++size_;
    if (value < median_) ++below_;
  }

  void remove(std::uint8_t value) noexcept {
    --occurrences_[value];
    --size_;
    if (value < median_) --below_;
  }

  [[nodiscard]] std::uint8_t median() noexcept {
    while (below_ > size_ / 2) below_ -= occurrences_[--median_];
    while (below_ + occurrences_[median_] <= size_ / 2) below_ += occurrences_[median_++];
    return static_cast<std::uint8_t>(median_);
  }

 private:
  std::array<std::size_t, 256> occurrences_{};
  std::size_t size_ = 0;
  std::size_t median_ = 0;
  std::size_t below_ = 0;  // values < median_
};

Picture median(const Picture& source, std::size_t side) {
  const std::vector<std::size_t> rows = reflected_indices(source.height, side / 2);
  const std::vector<std::size_t> columns = reflected_indices(source.width, side / 2);
  const auto channels = static_cast<std::size_t>(source.channels);

  Window window;
  const auto for_column = [&](std::size_t y, std::size_t column, std::size_t channel, auto&& change) {
    for (std::size_t dy = 0; dy < side; ++dy) change(row(source, rows[y + dy])[columns[column] * channels + channel]);
  };
  const auto add = [&](std::uint8_t value) { window.add(value); };
  const auto remove = [&](std::uint8_t value) { window.remove(value); };

  Picture result = source;
  for (std::size_t y = 0; y < source.height; ++y) {
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(colour_channels(source)); ++channel) {
      window = {};
      for (std::size_t column = 0; column < side; ++column) for_column(y, column, channel, add);
      for (std::size_t x = 0; x < source.width; ++x) {
        result.pixels[y * row_size(source) + x * channels + channel] = window.median();
        if (x + 1 == source.width) break;
        for_column(y, x, channel, remove);
        for_column(y, x + side, channel, add);
      }
    }
  }
  return result;
}

/// floor(sqrt(square) + 1/2), exact: r with r^2 - r < square <= r^2 + r.
int rounded_root(int square) noexcept {
  int root = static_cast<int>(std::lround(std::sqrt(static_cast<double>(square))));
  while (root * root + root < square) ++root;
  while (root > 0 && square <= root * root - root) --root;
  return root;
}

Picture sobel(const Picture& source) {
  const std::vector<std::size_t> rows = reflected_indices(source.height, 1);
  const std::vector<std::size_t> columns = reflected_indices(source.width, 1);
  const auto channels = static_cast<std::size_t>(source.channels);

  Picture result = source;
  for_each_colour(result, [&](std::size_t y, std::size_t x, std::size_t channel) {
    const std::size_t left = columns[x] * channels + channel;
    const std::size_t centre = x * channels + channel;
    const std::size_t right = columns[x + 2] * channels + channel;
    const std::uint8_t* above = row(source, rows[y]);
    const std::uint8_t* here = row(source, y);
    const std::uint8_t* below = row(source, rows[y + 2]);

    const int gx = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
    const int gy = below[left] + 2 * below[centre] + below[right] - above[left] - 2 * above[centre] - above[right];
    return static_cast<std::uint8_t>(std::min(rounded_root(gx * gx + gy * gy), 255));
  });
  return result;
}

Table equalizing_table(const std::array<std::uint64_t, 256>& counts, std::uint64_t pixels) {
  Table table{};
  const auto smallest = std::find_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; });
  const std::uint64_t others = pixels - *smallest;
  std::uint64_t up_to_value = 0;
  for (std::size_t value = 0; value < table.size(); ++value) {
    up_to_value += counts[value];
    if (others == 0) {
      table[value] = static_cast<std::uint8_t>(value);
    } else if (up_to_value > 0) {
      const std::uint64_t rank = up_to_value - *smallest;
      table[value] = static_cast<std::uint8_t>((2 * 255 * rank + others) / (2 * others));  // half up
    }
  }
  return table;
}

Picture equalize(const Picture& source) {
  const auto channels = static_cast<std::size_t>(source.channels);
  std::array<std::array<std::uint64_t, 256>, 4> counts{};
  for (std::size_t i = 0; i < source.pixels.size(); ++i) ++counts[i % channels][source.pixels[i]];

  std::array<Table, 4> tables{};
  for (std::size_t channel = 0; channel < channels; ++channel) {
    tables[channel] = equalizing_table(counts[channel], source.width * source.height);
  }

  Picture result = source;
  for_each_colour(result, [&](std::size_t y, std::size_t x, std::size_t channel) {
    return tables[channel][row(source, y)[x * channels + channel]];
  });
  return result;
}

Picture apply_to_valid(const Step& step, const Picture& picture) {
  switch (step.filter->kind) {
    case FilterKind::gaussian:
      return gaussian(picture, step.arguments.at(0));
    case FilterKind::median:
      return median(picture, static_cast<std::size_t>(step.arguments.at(0)));
    case FilterKind::sobel:
      return sobel(picture);
    case FilterKind::equalize:
      return equalize(picture);
  }
  throw Unsupported("filter '" + std::string{step.filter->name} + "' has no host reference");
}

}  // namespace

Picture apply_on_host(const Step& step, const Picture& picture) {
  require_valid(picture);
  return apply_to_valid(step, picture);
}

Picture apply_on_host(const Pipeline& pipeline, Picture picture) {
  require_valid(picture);
  for (const Step& step : pipeline.steps()) picture = apply_to_valid(step, picture);
  return picture;
}

Difference difference(const Picture& left, const Picture& right) {
  require_valid(left);
  require_valid(right);
  if (left.width != right.width || left.height != right.height || left.channels != right.channels) {
    throw InvalidArgument("difference: pictures of " + shape(left) + " and " + shape(right) + " cannot be compared");
  }
  Difference found;
  const auto channels = static_cast<std::size_t>(left.channels);
  for (std::size_t i = 0; i < left.pixels.size(); ++i) {
    const int apart = std::abs(left.pixels[i] - right.pixels[i]);
    if (apart == 0) continue;
    ++found.bytes;
    if (apart <= found.largest) continue;
    found.largest = apart;
    found.x = i / channels % left.width;
    found.y = i / channels / left.width;
  }
  return found;
}

}  // namespace anycl::image
