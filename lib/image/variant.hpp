/// \file  The builds that image kernels come in. Layer 7 (image).
#pragma once

#include <cstddef>

#include "anycl/image/run.hpp"

namespace anycl::image::detail {

/// What the kernels' macros LANES and INDEX are made from. Any variant gives the same result on any device: `run` chooses
/// the fastest one, tests run them all.
struct Variant {
  std::size_t lanes = 4;    ///< elements a work-item handles at once, 4 or 16
  bool wide_index = false;  ///< 64-bit indices, which pictures of 2^31 elements and more need
};

/// `image::run` with the kernels built as `variant`.
RunReport run(Queue& queue, const Pipeline& pipeline, Picture& picture, const Variant& variant);

/// `image::render_scene` with the kernel built as `variant`.
Picture render_scene(Queue& queue, std::size_t width, std::size_t height, const Variant& variant);

}  // namespace anycl::image::detail
