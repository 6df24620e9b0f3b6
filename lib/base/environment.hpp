/// \file  Reading environment variables. Layer 0 (base).
#pragma once

#include <optional>
#include <string>

namespace anycl {

/// Value of `name`, or nothing when it is unset or empty: both mean "use the default" everywhere in anycl.
[[nodiscard]] std::optional<std::string> environment(const char* name);

}  // namespace anycl
