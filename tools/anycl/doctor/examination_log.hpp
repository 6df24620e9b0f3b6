/// \file  How a child of `anycl doctor` tells its parent what it does and finds: a line of JSON for each. What a driver prints
/// to stdout meanwhile goes to stderr.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/os_child.hpp"
#include "doctor/finding.hpp"

namespace anycl::command {

/// What each line begins with.
inline constexpr std::string_view kExaminationMark = "anycl doctor: ";

/// The child's end. Lines go out at once, so that a crash shows what was being done.
class ExaminationLog {
 public:
  ExaminationLog();
  ~ExaminationLog();
  ExaminationLog(const ExaminationLog&) = delete;
  ExaminationLog& operator=(const ExaminationLog&) = delete;

  /// Begins a step: `what` is what the process does until the next one. It is killed, with a word about it, when that takes
  /// longer than `limit`.
  void begin(const std::string& what, std::chrono::seconds limit);

  /// The loader that was found.
  void loader(const Json& facts);

  /// What is found from here on is about this device.
  void device(const Json& facts);

  void find(const Finding& finding);

  /// Nothing more will be told.
  void end();

 private:
  void write(const Json& line) const;
  void watch();

  os::PrivateOutput output_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + std::chrono::hours(24);
  bool done_ = false;
  std::thread watch_;
};

}  // namespace anycl::command
