/// \file  Environment variables that change which OpenCL drivers there are, and what they do.
#pragma once

#include "doctor/finding.hpp"

namespace anycl::command {

/// A line for each that is set.
[[nodiscard]] Findings variables_in_force();

}  // namespace anycl::command
