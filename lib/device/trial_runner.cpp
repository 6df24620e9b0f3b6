#include "device/trial_runner.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "anycl/base/version.hpp"
#include "anycl/device/device.hpp"
#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_child.hpp"
#include "base/quote.hpp"
#include "base/worker_file.hpp"
#include "device/entry_points.hpp"
#include "device/trial_build.hpp"
#include "device/vendor_folder.hpp"

namespace anycl::detail {
namespace {

using std::chrono::seconds;
using End = os::ChildResult::End;
using Verdict = DriverTrial::Verdict;

constexpr seconds kUsualLimit(5);
constexpr std::size_t kOutputLimit = 64 * 1024;

/// Said before anything else, so that a program which is not our worker is not taken for a bad driver.
std::string greeting() { return fmt::format("anycl-worker {}\n", version()); }

/// What a driver says as it goes down is in its last line, as a rule.
std::string last_words(std::string_view errors) {
  while (errors.ends_with('\n')) errors.remove_suffix(1);
  if (errors.empty()) return {};
  return fmt::format(", saying {}", quote(errors.substr(errors.rfind('\n') + 1)));
}

/// Why a worker that had come up gave no result.
std::string explain(const os::ChildResult& result, seconds limit) {
  if (result.end == End::timed_out) return fmt::format("did not answer in {} s", limit.count());
  return fmt::format("the process that tried it {}{}", result.description(), last_words(result.errors));
}

/// Of a compiler that did not come to an end. Where it ended the process, those of the driver's other devices would, too; where
/// it takes long, that is no fault.
void judge_compiler(DriverTrial& trial, const os::ChildResult& result) {
  if (result.end != End::timed_out && !result.succeeded())
    trial.compiler_faults.push_back(
        {std::string(kAllDevices),
         fmt::format("the process that tried it {}{}", result.description(), last_words(result.errors))});
  trial.building.clear();
}

/// Nothing, with a reason in `problem`, when the worker had not come up.
std::optional<DriverTrial> judge(const os::ChildResult& result, const std::string& worker, seconds limit,
                                 std::string& problem) {
  if (result.unread != 0) {
    problem = fmt::format("what {} says cannot be read: {}", worker, std::generic_category().message(result.unread));
    return std::nullopt;
  }
  if (!result.output.starts_with(greeting())) {
    problem = result.end == End::not_started ? fmt::format("{} {}", worker, result.description())
                                             : fmt::format("{} is no worker of version {}: it {}{}", worker, version(),
                                                           result.description(), last_words(result.errors));
    return std::nullopt;
  }
  auto trial = trial_from(std::string_view(result.output).substr(greeting().size()));
  if (!trial) return DriverTrial{Verdict::harmful, explain(result, limit)};
  if (!trial->building.empty()) judge_compiler(*trial, result);
  return trial;
}

/// The loader in the child sees one driver and nothing else.
std::vector<std::string> variables_for(const PrivateVendorFolder& folder) {
  std::vector<std::string> variables = folder.variables();
  variables.insert(variables.end(), {"ANYCL_PROBE=inline", "ANYCL_DRIVERS"});
  return variables;
}

/// Last, and line by line: a compiler may end the process, or take long.
void report_compilers(const os::PrivateOutput& output) {
  for (const Device& device : discover().devices()) {
    if (!device.capabilities().has_compiler) continue;
    output.say(building_line(device.id()));
    output.say(built_line(try_compiler(device)));
  }
}

}  // namespace

seconds trial_limit_from_environment() {
  const seconds limit = seconds_from_environment("ANYCL_PROBE_LIMIT", kUsualLimit);
  if (limit > seconds(0)) return limit;
  log::warn("ANYCL_PROBE_LIMIT='0' gives drivers no time; using {}", kUsualLimit.count());
  return kUsualLimit;
}

std::vector<std::optional<DriverTrial>> run_trials(const std::vector<DriverFile>& drivers,
                                                   const TrialConditions& conditions, std::string& problem) {
  std::vector<std::optional<DriverTrial>> trials(drivers.size());
  const auto worker = find_worker(problem);
  if (!worker) return trials;
  std::vector<PrivateVendorFolder> folders;
  std::vector<os::ChildCommand> commands;
  for (const DriverFile& driver : drivers) {
    auto folder = PrivateVendorFolder::make({driver}, problem, conditions.fallback_folder);
    if (!folder) return trials;
    commands.push_back({.program = *worker,
                        .arguments = {"probe", conditions.loader, driver.library},
                        .environment = variables_for(*folder),
                        .limit = conditions.limit,
                        .output_limit = kOutputLimit});
    folders.push_back(std::move(*folder));
  }
  const auto results = os::run_children(commands);
  std::transform(results.begin(), results.end(), trials.begin(),
                 [&](const os::ChildResult& result) { return judge(result, *worker, conditions.limit, problem); });
  return trials;
}

void report_trial(const std::string& loader, const std::string& library) {
  const os::PrivateOutput output;
  use_loader(loader);
  static_cast<void>(entry_points());
  output.say(greeting());
  const DriverTrial trial = try_driver(library);
  output.say(to_text(trial));
  if (trial.verdict == Verdict::usable) report_compilers(output);
}

}  // namespace anycl::detail
