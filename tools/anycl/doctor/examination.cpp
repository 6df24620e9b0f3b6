#include "doctor/examination.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/environment.hpp"
#include "base/os_child.hpp"
#include "base/os_temporary_folder.hpp"
#include "device/vendor_folder.hpp"
#include "doctor/examination_log.hpp"
#include "doctor/library_fault.hpp"

namespace anycl::command {
namespace {

/// What a child told until it ended.
struct Account {
  Json loader = Json::object();
  Findings findings{};
  std::vector<DeviceReport> devices{};
  std::string step = "it started";
  std::uint64_t limit_s = 0;
  bool late = false;  ///< it was killed at a step's limit
  bool ended = false;

  void hear(const Json& line) {
    if (line.contains("begin")) {
      step = line["begin"].at("what").get<std::string>();
      limit_s = line["begin"].at("limit_s").get<std::uint64_t>();
    } else if (line.contains("loader")) {
      loader = line["loader"];
    } else if (line.contains("device")) {
      devices.push_back({line["device"]});
    } else if (line.contains("finding")) {
      current_findings().push_back(finding_from(line["finding"]));
    } else if (line.contains("late")) {
      late = true;
    } else if (line.contains("end")) {
      ended = true;
    }
  }

  Findings& current_findings() { return devices.empty() ? findings : devices.back().findings; }
};

/// Lines that are not the child's own, or were cut short, count for nothing.
Account account_of(const std::string& output) {
  Account account;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kExaminationMark)) continue;
    try {
      account.hear(Json::parse(line.substr(kExaminationMark.size())));
    } catch (const Json::exception&) {
      continue;
    }
  }
  return account;
}

/// What the process said last, such as an assertion that failed.
std::string last_line(const std::string& errors) {
  constexpr std::size_t kLongest = 200;
  std::string last;
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last.substr(0, kLongest);
}

std::string how_it_ended(const os::ChildResult& child, const Account& account) {
  using End = os::ChildResult::End;
  if (child.end == End::timed_out || account.late)
    return fmt::format("did not answer in {} s while {}", account.limit_s, account.step);
  std::string text = fmt::format("{} while {}", child.description(), account.step);
  if (const std::string words = last_line(child.errors); !words.empty()) text += ": " + words;
  return text;
}

/// Nothing when the child came to its end in good order. One that told everything, and died afterwards, did its work.
std::optional<Finding> judge_end(const os::ChildResult& child, const Account& account) {
  if (account.ended && child.succeeded()) return std::nullopt;
  return Finding{"process", account.ended ? Status::warn : Status::fail, how_it_ended(child, account)};
}

std::vector<std::string> words_for(const std::string& target, const ExaminationOptions& options) {
  std::vector<std::string> words{"doctor", "--examine", target, "--limit",
                                 std::to_string(options.limits.answer.count())};
  if (!options.self_tests) words.emplace_back("--quick");
  return words;
}

/// What the loader is to see: nothing where it is the driver itself.
std::vector<detail::DriverFile> named_by(const DriverReport& driver) {
  if (driver.library.empty()) return {};
  return {{.icd = driver.file, .library = driver.library, .variable = driver.variable}};
}

/// What a child sees of this machine: one driver, or none, and folders of its own.
class Surroundings {
 public:
  /// \throws IoError
  Surroundings(const std::string& workplace, const DriverReport& driver)
      : cache_(made(os::TemporaryFolder::make_in(workplace, problem_))),
        vendors_(made(detail::PrivateVendorFolder::make_in(workplace, named_by(driver), problem_))) {
    variables_ = vendors_.variables();
    variables_.push_back("ANYCL_CACHE_DIR=" + cache_.path());
    for (const char* change : {"ANYCL_CACHE=on", "ANYCL_PROBE=inline", "ANYCL_DEVICES", "ANYCL_DRIVERS"})
      variables_.emplace_back(change);
  }

  /// Changes to the environment.
  [[nodiscard]] const std::vector<std::string>& variables() const noexcept { return variables_; }

 private:
  template <class T>
  T made(std::optional<T> folder) const {
    if (!folder) throw IoError(problem_);
    return std::move(*folder);
  }

  std::string problem_;
  os::TemporaryFolder cache_;
  detail::PrivateVendorFolder vendors_;
  std::vector<std::string> variables_;
};

/// A child's work, and what it is told besides.
struct Examination {
  std::string target;
  const DriverReport& driver;  ///< in its sight
  ExaminationOptions options;
  std::string advice;  ///< on a process that does not come to its end

  /// Runs this program as a child, under `changes` to the environment.
  [[nodiscard]] Account run(const std::vector<std::string>& changes = {}) const {
    const Surroundings surroundings(options.workplace, driver);
    std::vector<std::string> variables = surroundings.variables();
    if (!options.layers) variables.emplace_back("OPENCL_LAYERS");
    variables.insert(variables.end(), changes.begin(), changes.end());
    const os::ChildResult child = os::run_child({.program = "/proc/self/exe",
                                                 .arguments = words_for(target, options),
                                                 .environment = variables,
                                                 .limit = 10 * options.limits.self_test()});  // steps have their own
    Account account = account_of(child.output);
    if (auto end = judge_end(child, account)) {
      if (end->status == Status::fail) end->advice = advice;
      account.current_findings().push_back(std::move(*end));
    }
    return account;
  }
};

/// Null: none of these checks fails.
Finding* failure_in(Account& account, std::span<const std::string_view> checks) {
  const auto search = [&](Findings& findings) -> Finding* {
    for (Finding& finding : findings)
      if (finding.status == Status::fail && std::find(checks.begin(), checks.end(), finding.check) != checks.end())
        return &finding;
    return nullptr;
  };
  if (Finding* found = search(account.findings); found != nullptr) return found;
  for (DeviceReport& device : account.devices)
    if (Finding* found = search(device.findings); found != nullptr) return found;
  return nullptr;
}

constexpr std::string_view kProcess[] = {"process"};
constexpr std::string_view kLoading[] = {"process", "loader", "library", "platform"};

/// Of several, the first that ends a process by itself; else all of them.
std::string guilty_layers(const Examination& examination, const std::string& layers) {
  std::istringstream files(layers);
  for (std::string file; std::getline(files, file, ':');) {
    if (file.empty() || file == layers) continue;
    Account account = examination.run({"OPENCL_LAYERS=" + file});
    if (failure_in(account, kProcess) != nullptr) return file;
  }
  return layers;
}

/// Where a process ended, and comes to its end without layers: what that one found, and the layers as the fault. True then.
bool blame_layers(const Examination& examination, Account& account) {
  const Finding* failure = failure_in(account, kProcess);
  const std::string layers = environment("OPENCL_LAYERS").value_or("");
  if (failure == nullptr || layers.empty() || !examination.options.layers) return false;
  const std::string how = failure->text;
  Account without = examination.run({"OPENCL_LAYERS"});
  if (failure_in(without, kProcess) != nullptr) return false;
  account = std::move(without);
  account.findings.push_back(
      {"layer", Status::fail,
       fmt::format("{} ends the process, which does well without it: it {}", guilty_layers(examination, layers), how),
       "take it out of OPENCL_LAYERS, or update it"});
  return true;
}

/// Where something cannot be loaded, and can without what a variable brings in: that is what to change.
void blame_variables(const Examination& examination, Account& account) {
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) {
    Finding* failure = failure_in(account, kLoading);
    const auto value = environment(name);
    if (failure == nullptr || !value) continue;
    Account without = examination.run({name});
    if (failure_in(without, kLoading) != nullptr) continue;
    failure->advice = fmt::format(
        "{}='{}' brings in other libraries, and without it this works: unset it, or take out "
        "what is not meant for OpenCL",
        name, *value);
    return;
  }
}

std::string advice_on(const DriverReport& driver) {
  if (driver.inside_loader) return "update it";
  if (driver.file.empty()) return fmt::format("update the driver, or take it out of {}", driver.variable);
  return fmt::format("update the driver, or leave it out: remove {}, or set ANYCL_DRIVERS='!{}'",
                     shell_word(driver.file), driver.name);
}

/// The child knows the library alone.
void name_driver_file(std::string& advice, const DriverReport& driver) {
  if (driver.file.empty()) return;
  const std::string file = shell_word(driver.file);
  for (auto at = advice.find(kDriverFile); at != advice.npos; at = advice.find(kDriverFile, at + file.size()))
    advice.replace(at, kDriverFile.size(), file);
}

}  // namespace

LoaderReport examine_loader(const ExaminationOptions& options) {
  const DriverReport none;
  const Examination examination{"loader", none, options, "install ocl-icd-libopencl1 again"};
  Account account = examination.run();
  const bool by_layers = blame_layers(examination, account);
  blame_variables(examination, account);
  return {account.loader.value("file", ""),    account.loader.value("name", ""),
          account.loader.value("version", ""), account.loader.value("platforms", std::size_t{0}),
          std::move(account.findings),         by_layers};
}

void examine_driver(DriverReport& driver, const ExaminationOptions& options) {
  const Examination examination{driver.inside_loader ? "inside" : driver.library, driver, options, advice_on(driver)};
  Account account = examination.run();
  blame_layers(examination, account);
  blame_variables(examination, account);
  for (Finding& finding : account.findings) name_driver_file(finding.advice, driver);
  driver.findings.insert(driver.findings.end(), account.findings.begin(), account.findings.end());
  driver.devices = std::move(account.devices);
}

}  // namespace anycl::command
