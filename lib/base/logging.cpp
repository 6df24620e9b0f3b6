#include "base/logging.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include "base/environment.hpp"

namespace anycl::log {
namespace {

struct LevelName {
  std::string_view name;
  LogLevel level;
  spdlog::level::level_enum spdlog_level;
};

constexpr std::array kLevels{
    LevelName{"off", LogLevel::off, spdlog::level::off},
    LevelName{"error", LogLevel::error, spdlog::level::err},
    LevelName{"warn", LogLevel::warn, spdlog::level::warn},
    LevelName{"info", LogLevel::info, spdlog::level::info},
    LevelName{"debug", LogLevel::debug, spdlog::level::debug},
    LevelName{"trace", LogLevel::trace, spdlog::level::trace},
};

spdlog::level::level_enum to_spdlog(LogLevel level) { return kLevels[static_cast<std::size_t>(level)].spdlog_level; }

const LevelName& from_spdlog(spdlog::level::level_enum level) {
  for (const auto& entry : kLevels)
    if (entry.spdlog_level == level) return entry;
  return kLevels.front();
}

/// Hands each line to the host's function, or writes it to stderr.
class SwitchSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void redirect(LogSink target) {
    const std::lock_guard lock(mutex_);
    target_ = std::move(target);
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string_view line(message.payload.data(), message.payload.size());
    const LevelName& level = from_spdlog(message.level);
    if (target_) {
      try {
        target_(level.level, line);
      } catch (...) {  // a host sink that throws, whatever it throws, loses its line and nothing else
      }
    } else {
      std::fprintf(stderr, "anycl %.*s: %.*s\n", static_cast<int>(level.name.size()), level.name.data(),
                   static_cast<int>(line.size()), line.data());
    }
  }
  void flush_() override {}

 private:
  LogSink target_;
};

LogLevel level_from_environment() {
  const std::string text = environment("ANYCL_LOG").value_or("warn");
  for (const auto& entry : kLevels)
    if (text == entry.name) return entry.level;
  std::fprintf(stderr, "anycl warn: ANYCL_LOG='%s' is not one of off, error, warn, info, debug, trace; using warn\n",
               text.c_str());
  return LogLevel::warn;
}

/// Our own logger: never in spdlog's registry, so a host that uses spdlog too is not disturbed.
struct Log {
  std::shared_ptr<SwitchSink> sink = std::make_shared<SwitchSink>();
  spdlog::logger logger{"anycl", sink};
  std::mutex recent_mutex;
  std::unordered_map<std::string, std::chrono::steady_clock::time_point> recent;

  Log() {
    logger.set_level(to_spdlog(level_from_environment()));
    logger.set_error_handler([](const std::string&) {});
  }
};

/// Never destroyed: objects with static storage may log while the process ends.
Log& instance() {
  static Log& log = *new Log;
  return log;
}

bool seen_within_a_minute(Log& log, std::string_view line) {
  constexpr std::size_t kRemembered = 256;
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(log.recent_mutex);
  if (log.recent.size() >= kRemembered) log.recent.clear();
  const auto [entry, fresh] = log.recent.try_emplace(std::string(line), now);
  if (fresh) return false;
  if (now - entry->second < std::chrono::minutes(1)) return true;
  entry->second = now;
  return false;
}

}  // namespace

bool enabled(LogLevel level) noexcept { return instance().logger.should_log(to_spdlog(level)); }

void write(LogLevel level, std::string_view line) noexcept {
  // A host's sink may use the library, and the library may have something to say to that: not to the same sink, which
  // holds its lock.
  thread_local bool inside = false;
  if (inside) return;
  inside = true;
  instance().logger.log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
  inside = false;
}

void write_seldom(LogLevel level, std::string_view line) noexcept {
  try {
    if (seen_within_a_minute(instance(), line)) return;
  } catch (const std::bad_alloc&) {
    // Without memory to remember the line we would rather repeat it than lose it.
  }
  write(level, line);
}

}  // namespace anycl::log

namespace anycl {

void set_log_sink(LogSink sink) { log::instance().sink->redirect(std::move(sink)); }

void set_log_level(LogLevel level) noexcept { log::instance().logger.set_level(log::to_spdlog(level)); }

}  // namespace anycl
