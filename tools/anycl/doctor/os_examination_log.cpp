#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include <fmt/core.h>

#include "doctor/examination_log.hpp"

namespace anycl::command {
namespace {

/// Bytes that are not UTF-8 are replaced: a driver's texts may hold any.
void write_line(const Json& line) {
  fmt::print("{}{}\n", kExaminationMark, line.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::fflush(stdout);
}

/// The default action of SIGALRM ends the process wherever it is; a driver may have blocked or taken the signal.
void end_after(std::chrono::seconds limit) {
  ::signal(SIGALRM, SIG_DFL);
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  ::alarm(static_cast<unsigned>(limit.count()));
}

}  // namespace

void ExaminationLog::begin(const std::string& what, std::chrono::seconds limit) {
  write_line({{"begin", {{"what", what}, {"limit_s", limit.count()}}}});
  end_after(limit);
}

void ExaminationLog::loader(const Json& facts) { write_line({{"loader", facts}}); }
void ExaminationLog::device(const Json& facts) { write_line({{"device", facts}}); }
void ExaminationLog::find(const Finding& finding) { write_line({{"finding", to_json(finding)}}); }
void ExaminationLog::end() { write_line({{"end", true}}); }

}  // namespace anycl::command
