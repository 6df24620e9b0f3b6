/// \file  The files by which drivers reach their cards.
#pragma once

#include <string>

#include "doctor/finding.hpp"

namespace anycl::command {

/// Opens each node below `root`/dev that a driver would, and says of one that cannot be opened why not, and which group
/// this user lacks.
[[nodiscard]] Findings device_nodes(const std::string& root);

}  // namespace anycl::command
