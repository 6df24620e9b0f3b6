/// \file  Reading environment variables. Layer 0 (base).
#pragma once

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

namespace anycl {

/// Value of `name`, or nothing when it is unset or empty: both mean "use the default" everywhere in anycl.
[[nodiscard]] inline std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

/// A time limit in whole seconds; `fallback` when the variable is unset, and, with a warning, when it is no such number.
[[nodiscard]] std::chrono::seconds seconds_from_environment(const char* name, std::chrono::seconds fallback);

}  // namespace anycl
