/// \file  The health of the folder that built kernels are kept in.
#pragma once

#include "doctor/finding.hpp"

namespace anycl::command {

/// Whether kernels are kept over runs, and what is in the way. Changes nothing.
[[nodiscard]] Finding kernel_cache();

}  // namespace anycl::command
