/// \file  Layers that OPENCL_LAYERS puts between the loader and every driver.
#pragma once

#include "doctor/finding.hpp"

namespace anycl::command {

/// Whether each can be opened; loaders pass one that cannot by without a word. Opens them, so it is for a child.
[[nodiscard]] Findings layers_asked_for();

}  // namespace anycl::command
