/// \file  Sizes in three dimensions.
#pragma once

#include <array>
#include <cstddef>

#include <CL/cl.h>

namespace anycl::stub {

using Sizes = std::array<std::size_t, 3>;

/// The index space of one kernel command.
struct NdRange {
  cl_uint dimensions = 1;
  Sizes offset{0, 0, 0};
  Sizes global{1, 1, 1};
  Sizes local{1, 1, 1};
};

}  // namespace anycl::stub
