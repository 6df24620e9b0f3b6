/// \file  Writing log lines from inside the library; the public side is anycl/base/log.hpp. Layer 0 (base).
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "anycl/base/log.hpp"

namespace anycl::log {

/// True when a line of `level` would be written; lets callers skip costly formatting.
[[nodiscard]] bool enabled(LogLevel level) noexcept;

void write(LogLevel level, std::string_view line) noexcept;

/// As `write`, but one text appears at most once a minute: a warning met in a loop must not flood the host's log.
void write_seldom(LogLevel level, std::string_view line) noexcept;

template <class... Args>
void formatted(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(level)) write(level, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  formatted(LogLevel::error, format, std::forward<Args>(args)...);
}

template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(LogLevel::warn)) write_seldom(LogLevel::warn, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  formatted(LogLevel::info, format, std::forward<Args>(args)...);
}

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  formatted(LogLevel::debug, format, std::forward<Args>(args)...);
}

}  // namespace anycl::log
