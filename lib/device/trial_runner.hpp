/// \file  Drivers tried in processes of their own. Layer 1 (device).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "device/driver_files.hpp"
#include "device/driver_trial.hpp"

namespace anycl::detail {

/// What a driver may take to answer: ANYCL_PROBE_LIMIT.
[[nodiscard]] std::chrono::seconds trial_limit_from_environment();

/// How drivers are tried.
struct TrialConditions {
  std::string loader;          ///< the file of the loader
  std::chrono::seconds limit;  ///< what each may take to answer
  std::string
      fallback_folder{};  ///< where to show drivers to a loader if there is no place for temporary files; empty: nowhere
};

/// Tries each driver, all at once, in the program anycl-worker. One result for each, in order; nothing for those that could not be
/// tried, the reason then being in `problem`.
[[nodiscard]] std::vector<std::optional<DriverTrial>> run_trials(const std::vector<DriverFile>& drivers,
                                                                 const TrialConditions& conditions,
                                                                 std::string& problem);

/// The other end, in that program: tries the driver that this process is shown, and says on stdout what came of it.
/// \throws NoDevice  when `loader` is no loader.
void report_trial(const std::string& loader, const std::string& library);

}  // namespace anycl::detail
