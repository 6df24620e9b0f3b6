#include <signal.h>
#include <unistd.h>

#include <fmt/core.h>

#include "doctor/examination_log.hpp"

namespace anycl::command {

ExaminationLog::ExaminationLog() : watch_([this] { watch(); }) {}

ExaminationLog::~ExaminationLog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  watch_.join();
}

/// Bytes that are not UTF-8 are replaced: a driver's texts may hold any.
void ExaminationLog::write(const Json& line) const {
  output_.say(fmt::format("{}{}\n", kExaminationMark, line.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

/// No signal: a driver may have blocked it, taken it, or set an alarm of its own.
void ExaminationLog::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    if (std::chrono::steady_clock::now() >= deadline_) {
      write({{"late", true}});
      ::kill(::getpid(), SIGKILL);
    }
    changed_.wait_until(lock, deadline_);
  }
}

void ExaminationLog::begin(const std::string& what, std::chrono::seconds limit) {
  write({{"begin", {{"what", what}, {"limit_s", limit.count()}}}});
  {
    const std::lock_guard lock(mutex_);
    deadline_ = std::chrono::steady_clock::now() + limit;
  }
  changed_.notify_all();
}

void ExaminationLog::loader(const Json& facts) { write({{"loader", facts}}); }
void ExaminationLog::device(const Json& facts) { write({{"device", facts}}); }
void ExaminationLog::find(const Finding& finding) { write({{"finding", to_json(finding)}}); }
void ExaminationLog::end() { write({{"end", true}}); }

}  // namespace anycl::command
