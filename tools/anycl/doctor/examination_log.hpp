/// \file  How a child of `anycl doctor` tells its parent what it does and finds: a line of JSON for each, marked, since
/// drivers print to stdout too.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "doctor/finding.hpp"

namespace anycl::command {

/// What each line begins with.
inline constexpr std::string_view kExaminationMark = "anycl doctor: ";

/// The child's end. Lines go out at once, so that a crash shows what was being done.
class ExaminationLog {
 public:
  /// Begins a step: `what` is what the process does until the next one. SIGALRM kills it when that takes longer than
  /// `limit`.
  void begin(const std::string& what, std::chrono::seconds limit);

  /// The loader that was found.
  void loader(const Json& facts);

  /// What is found from here on is about this device.
  void device(const Json& facts);

  void find(const Finding& finding);

  /// Nothing more will be told.
  void end();
};

}  // namespace anycl::command
