/// \file  Cards that could compute, and whether a driver answers for them.
#pragma once

#include <string>
#include <vector>

#include "doctor/report.hpp"

namespace anycl::command {

/// A line for each display controller in `root`/sys of a maker that has OpenCL drivers, with the package to install when
/// none of `drivers` has a GPU of that maker; and one when there is no device at all.
[[nodiscard]] Findings hardware(const std::string& root, const std::vector<DriverReport>& drivers);

}  // namespace anycl::command
