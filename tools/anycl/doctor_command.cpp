#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "anycl/device/device.hpp"
#include "command.hpp"
#include "doctor/device_nodes.hpp"
#include "doctor/driver_files.hpp"
#include "doctor/examination.hpp"
#include "doctor/hardware.hpp"
#include "doctor/kernel_cache.hpp"
#include "doctor/report.hpp"
#include "doctor/variables.hpp"
#include "doctor/workplace.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"(Looks at the loader, its variables, the driver files, device nodes, cards and the kernel cache, and tries each driver in a
process of its own, with a time limit: one that crashes or hangs is a finding. Each device then computes things whose
results are known.

ok: as it should be. warn: works, with something to know. FAIL: does not work. skip: not there, or not asked.

Examples:
  anycl doctor
  anycl doctor -v                          each self-test on a line of its own
  anycl doctor --driver pocl               just this driver
  anycl doctor --quick                     no self-tests
  anycl doctor --json                      for programs; docs/doctor.md lists the members

Exit codes: 0 healthy, 1 not healthy: something fails, 2 bad usage.)";

struct Options {
  std::string driver{};  ///< empty: all
  std::string root = "/";
  std::optional<std::string> examine{};  ///< set in children of this command: what to look at
  unsigned limit_s = 5;
  bool quick = false;
  bool all = false;

  [[nodiscard]] ExaminationOptions examination(std::string workplace = {}) const {
    return {.limits = {std::chrono::seconds(limit_s)}, .self_tests = !quick, .workplace = std::move(workplace)};
  }
};

void append(Findings& findings, const Findings& more) { findings.insert(findings.end(), more.begin(), more.end()); }

/// The part of LD_LIBRARY_PATH that `file` lies in; empty: none.
std::string part_of_library_path(const std::string& file) {
  const char* value = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(value != nullptr ? value : "");
  std::error_code unknown;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && std::filesystem::equivalent(folder, std::filesystem::path(file).parent_path(), unknown))
      return folder;
  return {};
}

Finding describe(const LoaderReport& loader) {
  const std::string name = loader.name.empty() ? "does not tell its name" : loader.name + " " + loader.version;
  const std::string text = fmt::format("{} ({})", loader.file, name);
  if (const std::string folder = part_of_library_path(loader.file); !folder.empty())
    return {"loader", Status::warn, text + ", found by LD_LIBRARY_PATH",
            fmt::format("fine if meant; else take {} out of it, and the system's own is used", folder)};
  return {"loader", Status::ok, text};
}

/// \throws InvalidArgument  when there is no driver of that name
void keep_only(std::vector<DriverReport>& drivers, const std::string& name) {
  std::vector<std::string> names;
  for (const DriverReport& driver : drivers) names.push_back(driver.name);
  std::erase_if(drivers, [&](const DriverReport& driver) { return !is_called(driver, name); });
  if (drivers.empty())
    throw InvalidArgument(fmt::format("doctor --driver: no driver is called '{}'; there are: {}", name,
                                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

/// \throws InvalidArgument
void check_root(const std::string& root) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(root, unknown))
    throw InvalidArgument(fmt::format("doctor --root: '{}' is no folder", root));
}

/// What programs do without because of a try that is remembered, whatever the driver does today.
Findings remembered_of(const DriverReport& driver, const std::vector<TriedDriver>& tried) {
  constexpr const char* kForget =
      "where the cause is gone: anycl cache clear forgets that, and ANYCL_PROBE=child tries it again; believed for an "
      "hour at most";
  Findings findings;
  for (const TriedDriver& past : tried) {
    if (past.file != driver.file || past.library != driver.library) continue;
    if (past.left_out)
      findings.push_back({"remembered", Status::warn,
                          fmt::format("programs leave it out, as it was tried before: {}", past.outcome), kForget});
    for (const std::string& fault : past.compiler_faults)
      findings.push_back({"remembered", Status::warn,
                          fmt::format("programs use a device only by name, whose compiler failed before: {}", fault),
                          kForget});
  }
  return findings;
}

class Consultation {
 public:
  Consultation(const Options& options, bool json) : options_(options), json_(json) {}

  ExitCode run() {
    check_root(options_.root);
    const LoaderReport loader = examine_loader(examination_);
    examination_.layers = !loader.fails_by_layers;
    tried_ = tried_drivers(loader.file);
    DriverFiles files = driver_files(loader);
    if (!options_.driver.empty()) keep_only(files.drivers, options_.driver);
    look_at_machine(loader, files.findings);
    for (DriverReport& driver : files.drivers) look_at_driver(driver, loader.works());
    look_at_hardware();
    const Verdict verdict = verdict_on(report_);
    json_ ? print_document(to_json(report_)) : print_verdict(verdict);
    return verdict.healthy() ? ExitCode::done : ExitCode::answered_no;
  }

 private:
  void look_at_machine(const LoaderReport& loader, const Findings& on_files) {
    if (loader.works()) report_.machine.push_back(describe(loader));
    append(report_.machine, loader.findings);
    append(report_.machine, on_files);
    append(report_.machine, variables_in_force());
    append(report_.machine, device_nodes(options_.root));
    append(report_.machine, workplace_.findings());
    report_.machine.push_back(kernel_cache());
    if (!json_) print_findings("machine", report_.machine);
  }

  /// Printed as soon as it is known: the next one may take its whole time.
  void look_at_driver(DriverReport& driver, bool have_loader) {
    flush_results();
    if (!have_loader)
      driver.findings.push_back({"platform", Status::skip, "no loader to ask it through"});
    else if (driver.findings.empty())  // its file can be read
      examine_driver(driver, examination_);
    append(driver.findings, remembered_of(driver, tried_));
    if (!json_) print_driver(driver, options_.all);
    report_.drivers.push_back(std::move(driver));
  }

  /// Drivers that were not asked may answer for a card.
  void look_at_hardware() {
    if (!options_.driver.empty()) return;
    report_.hardware = hardware(options_.root, report_.drivers);
    if (json_ || report_.hardware.empty()) return;
    fmt::print("\n");
    print_findings("hardware", report_.hardware);
  }

  const Options& options_;
  Workplace workplace_{};
  ExaminationOptions examination_ = options_.examination(workplace_.path());
  bool json_;
  std::vector<TriedDriver> tried_{};
  DoctorReport report_{};
};

ExitCode run(const Options& options, bool json) {
  if (!options.examine) return Consultation(options, json).run();
  run_examination(*options.examine, options.examination());
  return ExitCode::done;
}

}  // namespace

Command add_doctor(CLI::App& parent, const bool& json) {
  CLI::App* parser = parent.add_subcommand("doctor", "Whether loader, drivers and devices work, and what to do");
  const auto options = std::make_shared<Options>();
  constexpr unsigned kLongestLimit = 3600;
  parser->add_flag("-v,--verbose", options->all, "Each self-test on a line of its own");
  parser
      ->add_option("--driver", options->driver,
                   "Only drivers whose file or library is called so; *, ? as in file names")
      ->type_name("NAME");
  parser->add_flag("--quick", options->quick, "No self-tests");
  parser->add_option("--limit", options->limit_s, "How long a driver may take to answer; a self-test 12 times that")
      ->type_name("SECONDS")
      ->check(CLI::Range(1U, kLongestLimit))
      ->capture_default_str();
  parser->add_option("--root", options->root, "Where dev and sys are")->type_name("FOLDER")->capture_default_str();
  parser->add_option("--examine", options->examine)->group("");  // this command's own children
  parser->footer(kExplanation);
  return {parser, [&json, options] { return run(*options, json); }};
}

}  // namespace anycl::command
