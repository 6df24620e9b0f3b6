/// \file  A scenario in a process of its own, with one call failing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "failure/scenario.hpp"

namespace anycl::test {

/// How a trial ended.
struct Outcome {
  enum class End { right, error, wrong, foreign, died, hung };
  End end = End::died;
  std::string text;         ///< of the error, or how the process ended
  std::uint64_t calls = 0;  ///< driver calls, or file calls, that were made
  bool touched = false;     ///< the failure took place
  long live = 0;            ///< OpenCL objects that were left

  /// The right result or an error of ours, nothing left behind, and the process ended well.
  [[nodiscard]] bool good() const { return (end == End::right || end == End::error) && live == 0; }
};

[[nodiscard]] std::string describe(const Outcome& outcome);

/// What fails during a trial.
struct Fault {
  std::string layer_rules{};    ///< of tests/layer, for example "fail * at=3 code=-5"
  std::uint64_t file_call = 0;  ///< this call of the file system, counted from 1; 0: none
  int file_error = 0;           ///< its errno; 0: a short count where there is one; kKilled: none, the process ends
  std::vector<std::string> variables{};  ///< "NAME=value": changes to the environment
};

/// Forks: the calling process must not have used OpenCL. Never takes longer than the limit.
[[nodiscard]] Outcome run_trial(const Scenario& scenario, const Fault& fault,
                                std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace anycl::test
