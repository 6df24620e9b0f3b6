/// \file  The filters on the host, in plain C++: the reference that device results are checked against. Layer 7 (image).
#pragma once

#include <cstddef>

#include "anycl/export.hpp"
#include "anycl/image/picture.hpp"
#include "anycl/image/pipeline.hpp"

namespace anycl::image {

/// One filter, computed on one host thread. Beside input and result it takes memory for a few rows only.
/// `gaussian` computes in double: what a device may differ by is `step.filter->largest_difference`.
/// \throws InvalidArgument  when the picture is empty, has not 1 to 4 channels, or its pixels do not fit its sizes.
[[nodiscard]] ANYCL_API Picture apply_on_host(const Step& step, const Picture& picture);

/// All filters of `pipeline` in turn. A difference of 1 after one filter may grow in later ones: to check a device
/// against the bounds, compare step by step, each on the device's own input.
/// \throws InvalidArgument  as above.
[[nodiscard]] ANYCL_API Picture apply_on_host(const Pipeline& pipeline, Picture picture);

/// How far two pictures of one shape are apart.
struct Difference {
  int largest = 0;           ///< of any byte; 0 to 255
  std::size_t bytes = 0;     ///< how many bytes differ at all
  std::size_t x = 0, y = 0;  ///< the first pixel with the largest difference
};

/// \throws InvalidArgument  when their shapes differ.
[[nodiscard]] ANYCL_API Difference difference(const Picture& left, const Picture& right);

}  // namespace anycl::image
