#include "device/probe.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_environment.hpp"
#include "base/os_library.hpp"
#include "base/os_process.hpp"
#include "base/plain_line.hpp"
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

/// The patterns of ANYCL_DRIVERS.
std::vector<std::string> denied_names() {
  std::vector<std::string> names;
  const std::string text = environment("ANYCL_DRIVERS").value_or("");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string term = text.substr(begin, end - begin);
    begin = end + 1;
    if (term.size() > 1 && term.front() == '!')
      names.push_back(term.substr(1));
    else
      log::warn("ANYCL_DRIVERS: '{}' is not of the form !name; passed over", term);
  }
  return names;
}

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
  explicit Probe(const std::string& loader)
      : loader_(loader), mode_(mode_from_environment()), denied_(denied_names()) {}

  DriverProbe run() {
    if (mode_ == ProbeMode::none && denied_.empty()) return {};
    place_ = VendorPlace::from_environment();
    too_late_ = is_in_use(loader_, place_.files);
    leave_out_denied();
    if (mode_ != ProbeMode::none) judge_drivers();
    if (!result_.left_out.empty()) keep_out();
    return std::move(result_);
  }

 private:
  void warn(std::string_view line) { result_.warnings.push_back(plain_line(line)); }

  void leave_out(const DriverFile& file, std::string library, std::string reason) {
    if (library.empty()) library = file.library;
    result_.left_out.push_back({file, std::move(library), std::move(reason)});
  }

  void leave_out_denied() {
    for (const DriverFile& file : place_.files) {
      const auto matches = [&](const std::string& name) { return file.matches(name); };
      if (std::any_of(denied_.begin(), denied_.end(), matches)) leave_out(file, {}, "is left out by ANYCL_DRIVERS");
    }
  }

  void judge_drivers() {
    const ProbeMemory memory(loader_);
    std::vector<DriverFile> unknown;
    for (const DriverFile& file : place_.files) {
      if (result_.find(file) != nullptr) continue;
      if (file.library.empty()) {
        judge_file(file);
        continue;
      }
      const auto trial = mode_ == ProbeMode::all_drivers ? std::nullopt : memory.recall(file);
      if (trial)
        judge(file, *trial);
      else
        unknown.push_back(file);
    }
    if (!unknown.empty() && !too_late_) try_in_children(unknown, memory);
  }

  void judge_file(const DriverFile& file) {
    warn(fmt::format("driver file {} {}{}", file.icd, file.problem, file.traps_loader ? "; it is left out" : ""));
    if (file.traps_loader) leave_out(file, {}, file.problem);
  }

  void try_in_children(const std::vector<DriverFile>& unknown, const ProbeMemory& memory) {
    std::string problem;
    const auto trials = run_trials(unknown, loader_, problem);
    if (!problem.empty())
      warn(fmt::format("drivers are used untried: {}; ANYCL_PROBE=inline says that this is meant", problem));
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!trials[i]) continue;
      memory.keep(unknown[i], *trials[i]);
      judge(unknown[i], *trials[i]);
    }
  }

  void judge(const DriverFile& file, const DriverTrial& trial) {
    log::debug("driver {}: {}", file.description(), trial.text);
    for (const auto& [device, fault] : trial.compiler_faults)
      result_.faulty_compilers.push_back({trial.library.empty() ? file.library : trial.library, device, fault});
    if (trial.verdict == Verdict::usable) return;
    const bool harmful = trial.verdict == Verdict::harmful;
    warn(fmt::format("driver {}: {}{}", file.description(), trial.text,
                     harmful ? "; it is left out, ANYCL_PROBE=inline uses it all the same" : ""));
    if (harmful) leave_out(file, trial.library, trial.text);
  }

  /// Makes the loader load the other drivers, once.
  void keep_out() {
    if (too_late_) return warn("this process has used OpenCL already: drivers cannot be kept out of it any more");
    std::vector<DriverFile> kept;
    std::copy_if(place_.files.begin(), place_.files.end(), std::back_inserter(kept),
                 [&](const DriverFile& file) { return result_.find(file) == nullptr; });
    std::string problem;
    const auto folder = PrivateVendorFolder::make(kept, problem);
    if (!folder) return warn(fmt::format("drivers cannot be kept out of this process: {}", problem));
    const os::ScopedVariables shown(folder->variables());
    static_cast<void>(list_platforms());
  }

  std::string loader_;
  ProbeMode mode_;
  std::vector<std::string> denied_;
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
  return Probe(table.library).run();
}

}  // namespace

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
  return std::any_of(left_out.begin(), left_out.end(),
                     [&](const LeftOutDriver& driver) { return is_file(driver.library, file); });
}

const DriverProbe& driver_probe() {
  static const DriverProbe none;
  if (!is_loaders_own(entry_points())) return none;  // a table that stands in for the loader's has no driver files
  static const DriverProbe& result = *new DriverProbe(probe());
  return result;
}

}  // namespace anycl::detail
