/// \file  Cards that could compute, and whether a driver answers for them.
#pragma once

#include <string>
#include <vector>

#include "doctor/report.hpp"

namespace anycl::command {

/// A line for each card in `root`/sys of a maker that has OpenCL drivers; of one that none of `drivers` answers for, what
/// is in the way: its kernel module, its driver's package, its device node. And one when there is no device at all.
[[nodiscard]] Findings hardware(const std::string& root, const std::vector<DriverReport>& drivers);

}  // namespace anycl::command
