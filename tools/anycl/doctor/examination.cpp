#include "doctor/examination.hpp"

#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/os_child.hpp"
#include "base/os_temporary_folder.hpp"
#include "device/vendor_folder.hpp"
#include "doctor/examination_log.hpp"

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
  explicit Surroundings(const DriverReport& driver)
      : cache_(made(os::TemporaryFolder::make(problem_))),
        vendors_(made(detail::PrivateVendorFolder::make(named_by(driver), problem_))) {
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

/// Runs this program as a child on `target`, with `driver` in sight.
Account examine(const std::string& target, const DriverReport& driver, const ExaminationOptions& options,
                const std::string& advice) {
  const Surroundings surroundings(driver);
  const os::ChildResult child = os::run_child({.program = "/proc/self/exe",
                                               .arguments = words_for(target, options),
                                               .environment = surroundings.variables(),
                                               .limit = 10 * options.limits.self_test()});  // steps have their own
  Account account = account_of(child.output);
  if (auto end = judge_end(child, account)) {
    if (end->status == Status::fail) end->advice = advice;
    account.current_findings().push_back(std::move(*end));
  }
  return account;
}

std::string advice_on(const DriverReport& driver) {
  if (driver.inside_loader) return "update it";
  if (driver.file.empty()) return fmt::format("update the driver, or take it out of {}", driver.variable);
  return fmt::format("update the driver, or leave it out: remove {}, or set ANYCL_DRIVERS='!{}'", driver.file,
                     driver.name);
}

}  // namespace

LoaderReport examine_loader(const ExaminationOptions& options) {
  Account account = examine("loader", {}, options, "install ocl-icd-libopencl1");
  return {account.loader.value("file", ""), account.loader.value("name", ""), account.loader.value("version", ""),
          account.loader.value("platforms", std::size_t{0}), std::move(account.findings)};
}

void examine_driver(DriverReport& driver, const ExaminationOptions& options) {
  Account account = examine(driver.inside_loader ? "inside" : driver.library, driver, options, advice_on(driver));
  driver.findings.insert(driver.findings.end(), account.findings.begin(), account.findings.end());
  driver.devices = std::move(account.devices);
}

}  // namespace anycl::command
