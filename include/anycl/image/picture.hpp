/// \file  A decoded picture in host memory. Layer 7 (image).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anycl::image {

/// Rows of interleaved pixels from the top left on, one byte a channel, no padding.
/// Channels: 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA. The last channel of 2 and 4 is alpha; no filter changes it.
struct Picture {
  std::size_t width = 0;             ///< pixels
  std::size_t height = 0;            ///< pixels
  int channels = 1;                  ///< 1 to 4
  std::vector<std::uint8_t> pixels;  ///< [height][width][channels]

  friend bool operator==(const Picture&, const Picture&) = default;
};

[[nodiscard]] constexpr bool has_alpha(const Picture& picture) noexcept {
  return picture.channels == 2 || picture.channels == 4;
}

/// Channels without alpha.
[[nodiscard]] constexpr int colour_channels(const Picture& picture) noexcept {
  return picture.channels - (has_alpha(picture) ? 1 : 0);
}

/// What `pixels` must hold; the product of the three sizes.
[[nodiscard]] constexpr std::size_t size_bytes(const Picture& picture) noexcept {
  return picture.width * picture.height * static_cast<std::size_t>(picture.channels);
}

}  // namespace anycl::image
