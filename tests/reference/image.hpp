/// \file  The image filters once more, by their definitions alone: one value after the other, windows as plain loops.
/// Shares nothing with lib/image, so that a mistake in one of them shows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "anycl/image/picture.hpp"

namespace anycl::test {

/// A picture of bytes that depend on `seed` alone.
[[nodiscard]] image::Picture random_picture(std::size_t width, std::size_t height, int channels, std::uint64_t seed);

/// The exact value of one colour channel of one pixel, before it is rounded: all (2 radius + 1)^2 products in one sum.
[[nodiscard]] double gaussian_value(const image::Picture& picture, double sigma, std::size_t x, std::size_t y,
                                    int channel);

/// By sorting each window.
[[nodiscard]] image::Picture median_reference(const image::Picture& picture, int side);

[[nodiscard]] image::Picture sobel_reference(const image::Picture& picture);

[[nodiscard]] image::Picture equalize_reference(const image::Picture& picture);

}  // namespace anycl::test
