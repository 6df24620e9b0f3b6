/// \file  Environment variables that drivers read. Layer 1 (device).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace anycl::detail {

/// Those that are set and change what the compiler of this platform generates, as sorted `NAME=value`.
[[nodiscard]] std::vector<std::string> compiler_variables(std::string_view platform_alias);

/// Those that are set and steer any driver, as sorted `NAME=value`.
[[nodiscard]] std::vector<std::string> driver_variables();

}  // namespace anycl::detail
