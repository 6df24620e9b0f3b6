/// \file  Why the loader found no driver. Layer 1 (device).
#pragma once

#include <string>

namespace anycl::detail {

/// One line: the folder the loader reads, each driver file in it that cannot be opened, with the reason, and what to do. Opens
/// the drivers' libraries, so it is for the way to an error only.
[[nodiscard]] std::string describe_icd_files();

}  // namespace anycl::detail
