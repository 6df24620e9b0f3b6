#include "device/probe.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_environment.hpp"
#include "base/os_library.hpp"
#include "base/os_process.hpp"
#include "base/plain_line.hpp"
#include "base/quote.hpp"
#include "device/driver_trial.hpp"
#include "device/entry_points.hpp"
#include "device/native_lists.hpp"
#include "device/probe_memory.hpp"
#include "device/trial_runner.hpp"
#include "device/vendor_folder.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;
using Verdict = DriverTrial::Verdict;

enum class ProbeMode { unknown_drivers, all_drivers, none };

ProbeMode mode_from_environment() {
  const auto text = environment("ANYCL_PROBE");
  if (!text) return ProbeMode::unknown_drivers;
  if (*text == "child") return ProbeMode::all_drivers;
  if (*text == "inline") return ProbeMode::none;
  log::warn("ANYCL_PROBE='{}' is not one of child, inline; trying those drivers that were not tried before", *text);
  return ProbeMode::unknown_drivers;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The patterns of ANYCL_DRIVERS.
std::vector<std::string> denied_names() {
  std::vector<std::string> names;
  const std::string text = environment("ANYCL_DRIVERS").value_or("");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view term = without_blanks(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    const std::string_view name = term.starts_with('!') ? without_blanks(term.substr(1)) : std::string_view{};
    if (!name.empty())
      names.emplace_back(name);
    else if (!term.empty())
      log::warn("ANYCL_DRIVERS: {} is not of the form !name; passed over", quote(term));
  }
  return names;
}

/// For messages.
std::string names_of(const std::vector<DriverFile>& files) {
  std::string names;
  for (const DriverFile& file : files) names += (names.empty() ? "" : ", ") + file.name();
  return names.empty() ? "none" : plain_line(names);
}

constexpr const char* kWayBack = "ANYCL_PROBE=child tries it again, ANYCL_PROBE=inline uses it all the same";

/// Loaders open their drivers on the first call. Files may also name what is there for other reasons: a library that is no
/// driver, or the loader.
bool is_in_use(const std::string& loader, const std::vector<DriverFile>& drivers) {
  return std::any_of(drivers.begin(), drivers.end(), [&](const DriverFile& driver) {
    if (driver.library.empty()) return false;
    const auto library = os::Library::find_loaded(driver.library);
    return library.find("clGetExtensionFunctionAddress") != nullptr && library.file() != loader;
  });
}

/// The work of `driver_probe()`, step by step.
class Probe {
 public:
  Probe(const std::string& loader, ProbeMode mode, std::vector<std::string> denied)
      : loader_(loader), mode_(mode), denied_(std::move(denied)), memory_(loader, limit_) {}

  DriverProbe run() {
    place_ = VendorPlace::from_environment();
    too_late_ = is_in_use(loader_, place_.files);
    leave_out_denied();
    if (mode_ != ProbeMode::none) judge_drivers();
    if (!result_.left_out.empty()) keep_out();
    return std::move(result_);
  }

 private:
  void warn(std::string_view line) { result_.warnings.push_back(plain_line(line)); }

  /// Said at once: what comes next may end the process.
  void warn_now(std::string_view line) {
    warn(line);
    log::warn("{}", result_.warnings.back());
  }

  void leave_out(const DriverFile& file, std::string library, std::string reason, std::string way_back = {}) {
    if (library.empty()) library = file.library;
    result_.left_out.push_back({file, std::move(library), std::move(reason), std::move(way_back)});
  }

  void leave_out_denied() {
    for (const std::string& name : denied_) {
      bool found = false;
      for (const DriverFile& file : place_.files) {
        if (!file.matches(name)) continue;
        found = true;
        if (result_.find(file) == nullptr) leave_out(file, {}, "is left out by ANYCL_DRIVERS");
      }
      if (!found)
        log::warn("ANYCL_DRIVERS: {} names no driver; there are {}", quote("!" + name), names_of(place_.files));
    }
  }

  void judge_drivers() {
    std::vector<DriverFile> unknown;
    for (const DriverFile& file : place_.files) {
      if (result_.find(file) != nullptr) continue;
      if (file.library.empty()) {
        judge_file(file);
        continue;
      }
      const auto trial = mode_ == ProbeMode::all_drivers ? std::nullopt : memory_.recall(file);
      if (trial)
        judge(file, *trial);
      else
        unknown.push_back(file);
    }
    if (!unknown.empty() && !too_late_) try_in_children(unknown);
  }

  void judge_file(const DriverFile& file) {
    warn(fmt::format("driver file {} {}{}", file.icd, file.problem, file.traps_loader ? "; it is left out" : ""));
    if (file.traps_loader) leave_out(file, {}, file.problem);
  }

  void try_in_children(const std::vector<DriverFile>& unknown) {
    std::string problem;
    const auto trials = run_trials(unknown, {loader_, limit_, memory_.folder()}, problem);
    std::vector<DriverFile> untried;
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if (!trials[i]) {
        untried.push_back(unknown[i]);
        continue;
      }
      memory_.keep(unknown[i], *trials[i]);
      judge(unknown[i], *trials[i]);
    }
    if (!untried.empty())
      warn_now(fmt::format("drivers are used untried ({}): {}; ANYCL_PROBE=inline says that this is meant",
                           names_of(untried), problem));
  }

  void judge(const DriverFile& file, const DriverTrial& trial) {
    log::debug("driver {}: {}", file.description(), plain_line(trial.text));
    for (const auto& [device, fault] : trial.compiler_faults)
      result_.faulty_compilers.push_back({trial.library.empty() ? file.library : trial.library, device,
                                          fmt::format("{}; ANYCL_PROBE=child tries it again", fault)});
    if (trial.verdict == Verdict::harmful) leave_out(file, trial.library, trial.text, kWayBack);
    if (trial.verdict != Verdict::usable)
      warn(fmt::format("driver {}: {}", file.description(), explanation_of(file, trial)));
  }

  std::string explanation_of(const DriverFile& file, const DriverTrial& trial) const {
    const LeftOutDriver* driver = result_.find(file);
    return driver != nullptr ? driver->explanation() : trial.text;
  }

  /// Makes the loader load the other drivers, once.
  void keep_out() {
    std::vector<DriverFile> kept;
    for (const DriverFile& file : place_.files) {
      if (result_.find(file) != nullptr || file.traps_loader) continue;
      kept.push_back(file);  // also what we cannot read: the loader may
      if (!file.library.empty()) result_.kept_libraries.push_back(file.library);
    }
    if (too_late_) return warn("this process has used OpenCL already: drivers cannot be kept out of it any more");
    std::string problem;
    const auto folder = PrivateVendorFolder::make(kept, problem, memory_.folder());
    if (!folder) refuse(problem);
    const os::ScopedVariables shown(folder->variables());
    static_cast<void>(list_platforms());
  }

  /// Rather than load a driver that ends the process, or that the user does not want.
  [[noreturn]] void refuse(std::string_view problem) const {
    std::string text =
        fmt::format("OpenCL is not used, since drivers that must not be loaded cannot be kept out: {}", problem);
    for (const LeftOutDriver& driver : result_.left_out)
      text += fmt::format("; {}: {}", driver.file.description(), driver.explanation());
    throw NoDevice(plain_line(text));
  }

  std::string loader_;
  ProbeMode mode_;
  std::vector<std::string> denied_;
  std::chrono::seconds limit_ = trial_limit_from_environment();
  ProbeMemory memory_;
  VendorPlace place_;
  bool too_late_ = false;
  DriverProbe result_;
};

/// Whether a driver's `library`, a path or a name to search, is `file`.
bool is_file(const fs::path& library, const fs::path& file) {
  std::error_code ignored;
  return library.has_parent_path() ? fs::equivalent(library, file, ignored) : library == file.filename();
}

DriverProbe probe() {
  const EntryPoints& table = entry_points();
  if (!table.objects_have_tables || os::is_privileged()) return {};
  const ProbeMode mode = mode_from_environment();
  std::vector<std::string> denied = denied_names();
  if (mode == ProbeMode::none && denied.empty()) return {};
  return Probe(table.library, mode, std::move(denied)).run();
}

}  // namespace

std::string LeftOutDriver::explanation() const {
  return way_back.empty() ? reason : fmt::format("{}; it is left out: {}", reason, way_back);
}

const LeftOutDriver* DriverProbe::find(const DriverFile& file) const noexcept {
  const auto same = [&](const LeftOutDriver& driver) {
    return driver.file.icd == file.icd && driver.file.library == file.library;
  };
  const auto found = std::find_if(left_out.begin(), left_out.end(), same);
  return found == left_out.end() ? nullptr : &*found;
}

const FaultyCompiler* DriverProbe::find_compiler(cl_platform_id platform, const std::string& device_id) const {
  const auto is_it = [&](const FaultyCompiler& compiler) {
    return (compiler.device == device_id || compiler.device == kAllDevices) &&
           is_file(compiler.library, driver_file(platform));
  };
  const auto found = std::find_if(faulty_compilers.begin(), faulty_compilers.end(), is_it);
  return found == faulty_compilers.end() ? nullptr : &*found;
}

bool DriverProbe::leaves_out(cl_platform_id platform) const {
  if (left_out.empty()) return false;
  const std::string file = driver_file(platform);
  if (file.empty()) return false;
  const auto is_it = [&](const fs::path& library) { return is_file(library, file); };
  if (std::any_of(kept_libraries.begin(), kept_libraries.end(), is_it)) return false;
  return std::any_of(left_out.begin(), left_out.end(),
                     [&](const LeftOutDriver& driver) { return is_it(driver.library); });
}

const DriverProbe& driver_probe() {
  static const DriverProbe none;
  if (!is_loaders_own(entry_points())) return none;  // a table that stands in for the loader's has no driver files
  static const DriverProbe& result = *new DriverProbe(probe());
  return result;
}

}  // namespace anycl::detail
