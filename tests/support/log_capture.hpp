/// \file  What the library logs during a test.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anycl/base/log.hpp"

namespace anycl::test {

/// Collects the library's log lines instead of stderr while it lives.
class LogCapture {
 public:
  LogCapture() {
    set_log_sink([this](LogLevel level, std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(level, line);
    });
  }
  ~LogCapture() { set_log_sink({}); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  /// How many lines of `level` contain `part`.
  [[nodiscard]] std::size_t count(LogLevel level, std::string_view part = {}) const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::count_if(lines_.begin(), lines_.end(), [&](const auto& line) {
      return line.first == level && line.second.find(part) != std::string::npos;
    }));
  }

  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const auto& line : lines_) all += line.second + '\n';
    return all;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<LogLevel, std::string>> lines_;
};

}  // namespace anycl::test
