#include "device/probe_memory.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/base/version.hpp"
#include "anycl/device/device.hpp"
#include "base/digest.hpp"
#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_file.hpp"
#include "base/os_process.hpp"
#include "base/os_regular_file.hpp"
#include "device/driver_variables.hpp"
#include "device/trial_runner.hpp"

namespace anycl::detail {
namespace {

using std::chrono::seconds;

constexpr std::string_view kFormat = "anycl probe 3";
constexpr std::string_view kPrefix = "probe-";  // of a file's name
constexpr std::size_t kMostEntries = 64;        // drivers of one machine, under a few environments
constexpr std::size_t kLargestEntry = 64 * 1024;
constexpr seconds kBadNewsLast = std::chrono::hours(1);
constexpr seconds kUselessNewsLast = std::chrono::minutes(1);

seconds now() { return std::chrono::duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch()); }

/// The library that a driver file means, as far as that can be told without opening it.
const std::string& library_of(const DriverFile& driver, const DriverTrial& trial) {
  return trial.library.empty() ? driver.library : trial.library;
}

/// Of bad news, `written` at that time. A driver that does not even load is tried quickly, and somebody may be mending it.
bool is_recent(const DriverTrial& trial, std::string_view written) {
  const bool useless = trial.verdict == DriverTrial::Verdict::useless;
  seconds::rep then = 0;
  std::from_chars(written.data(), written.data() + written.size(), then);
  const seconds age = now() - seconds(then);
  return age >= seconds(0) && age < (useless ? kUselessNewsLast : kBadNewsLast);
}

bool is_good_news(const DriverTrial& trial) {
  return trial.verdict == DriverTrial::Verdict::usable && trial.compiler_faults.empty();
}

/// Changes when the system starts anew, as it should after some updates of drivers.
std::string run_of_system() {
  constexpr std::size_t kLongest = 64;
  std::string id = os::read_regular_file("/proc/sys/kernel/random/boot_id", kLongest).text;
  std::erase(id, '\n');
  return id;
}

/// The memories of this user.
std::vector<os::PrivateFolder::File> entries_of(const os::PrivateFolder& folder) {
  auto files = folder.files().value_or(std::vector<os::PrivateFolder::File>());
  std::erase_if(files, [](const auto& file) { return !file.name.starts_with(kPrefix); });
  return files;
}

/// The first line of `text`, which it loses; nothing when there is none.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

ProbeMemory::ProbeMemory(const std::string& loader, seconds limit) : loader_(loader), limit_(limit) {
  std::string problem;
  cache_ = CachePlace::from_environment(problem);
  if (!problem.empty()) log::info("drivers are tried in each process anew: {}", problem);
}

ProbeMemory::ProbeMemory(CachePlace cache, std::string loader, seconds limit)
    : cache_(std::move(cache)), loader_(std::move(loader)), limit_(limit) {}

ProbeMemory ProbeMemory::to_look_at(const std::string& loader, seconds limit) {
  auto settings = CacheSettings::from_environment();
  if (settings.mode != CacheSettings::Mode::off) settings.mode = CacheSettings::Mode::read_only;
  std::string ignored;
  return {CachePlace::open(std::move(settings), ignored), loader, limit};
}

std::string ProbeMemory::entry_name(const DriverFile& driver) const {
  FieldHasher hasher;
  for (const std::string& field : {std::string(kFormat), std::string(version()), driver.icd,
                                   os::file_identity(driver.icd), driver.library, loader_, os::file_identity(loader_)})
    hasher.add(field);
  // What is loaded with a driver, and where it keeps files.
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "OPENCL_LAYERS", "HOME", "XDG_CACHE_HOME"})
    hasher.add(environment(name).value_or(""));
  for (const std::string& variable : driver_variables()) hasher.add(variable);
  return std::string(kPrefix) + to_hex(hasher.finish());
}

/// What may make a good driver fail, on one line.
std::string ProbeMemory::circumstances() const {
  return fmt::format("{} s, {}, {}", limit_.count(), os::resource_limits(), run_of_system());
}

std::optional<DriverTrial> ProbeMemory::recall(const DriverFile& driver) const {
  const std::string name = entry_name(driver);
  auto trial = read(driver, name);
  if (trial) cache_.folder->mark_used(name);
  return trial;
}

std::optional<DriverTrial> ProbeMemory::read(const DriverFile& driver, const std::string& name) const {
  const auto bytes = cache_.folder ? cache_.folder->read(name, kLargestEntry) : std::nullopt;
  if (!bytes) return std::nullopt;
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const auto identity = take_line(text);
  const auto time = take_line(text);
  const auto circumstances_then = take_line(text);
  const auto trial = circumstances_then ? trial_from(text) : std::nullopt;
  if (!trial || os::file_identity(library_of(driver, *trial)) != *identity) return std::nullopt;
  if (!is_good_news(*trial) && !(is_recent(*trial, *time) && *circumstances_then == circumstances()))
    return std::nullopt;
  return trial;
}

void ProbeMemory::keep(const DriverFile& driver, const DriverTrial& trial) const {
  if (!cache_.writable()) return;
  const std::string text = fmt::format("{}\n{}\n{}\n{}", os::file_identity(library_of(driver, trial)), now().count(),
                                       circumstances(), to_text(trial));
  std::string problem;
  if (!cache_.folder->replace(entry_name(driver), std::as_bytes(std::span(text)), problem))
    log::info("what came of trying driver {} is not kept: {}", driver.description(), problem);
  forget_oldest();
}

/// Another environment, or an update, makes other files; nobody asks for the old ones again.
void ProbeMemory::forget_oldest() const {
  auto entries = entries_of(*cache_.folder);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.modified > b.modified; });
  for (std::size_t i = kMostEntries; i < entries.size(); ++i) cache_.folder->remove(entries[i].name);
}

}  // namespace anycl::detail

namespace anycl {

std::vector<TriedDriver> tried_drivers(const std::string& loader) {
  const std::string mode = environment("ANYCL_PROBE").value_or("");
  if (os::is_privileged() || mode == "child" || mode == "inline") return {};
  const auto memory = detail::ProbeMemory::to_look_at(loader, detail::trial_limit_from_environment());
  std::vector<TriedDriver> tried;
  for (const detail::DriverFile& file : detail::VendorPlace::from_environment().files) {
    const auto trial = file.library.empty() ? std::nullopt : memory.look_up(file);
    if (!trial) continue;
    TriedDriver& driver = tried.emplace_back(TriedDriver{file.icd, file.library, trial->text});
    driver.left_out = trial->verdict == detail::DriverTrial::Verdict::harmful;
    for (const auto& [device, fault] : trial->compiler_faults)
      driver.compiler_faults.push_back(device == detail::kAllDevices ? fault : fmt::format("{}: {}", device, fault));
  }
  return tried;
}

std::size_t forget_tried_drivers() {
  using IfMissing = os::PrivateFolder::IfMissing;
  const CacheSettings settings = CacheSettings::from_environment();
  std::error_code ignored;
  if (os::is_privileged() || settings.folder.empty() || !std::filesystem::exists(settings.folder, ignored)) return 0;
  std::string problem;
  const auto folder = os::PrivateFolder::open(settings.folder, problem, IfMissing::fail);
  if (!folder) throw IoError(fmt::format("what is remembered of drivers: {}", problem));
  const auto entries = detail::entries_of(*folder);
  for (const auto& entry : entries) folder->remove(entry.name);
  return entries.size();
}

}  // namespace anycl
