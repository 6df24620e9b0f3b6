#include "device/probe_memory.hpp"

#include <charconv>
#include <chrono>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "anycl/base/version.hpp"
#include "base/digest.hpp"
#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_file.hpp"
#include "device/driver_variables.hpp"

namespace anycl::detail {
namespace {

using std::chrono::seconds;

constexpr std::string_view kFormat = "anycl probe 2";
constexpr std::size_t kLargestEntry = 64 * 1024;
constexpr std::chrono::hours kBadNewsLast(1);

seconds now() { return std::chrono::duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch()); }

/// The library that a driver file means, as far as that can be told without opening it.
const std::string& library_of(const DriverFile& driver, const DriverTrial& trial) {
  return trial.library.empty() ? driver.library : trial.library;
}

bool is_fresh(const DriverTrial& trial, std::string_view written) {
  if (trial.verdict == DriverTrial::Verdict::usable && trial.compiler_faults.empty()) return true;
  seconds::rep then = 0;
  std::from_chars(written.data(), written.data() + written.size(), then);
  const seconds age = now() - seconds(then);
  return age >= seconds(0) && age < kBadNewsLast;
}

}  // namespace

ProbeMemory::ProbeMemory(const std::string& loader) : loader_(loader) {
  std::string problem;
  cache_ = CachePlace::from_environment(problem);
  if (!problem.empty()) log::info("drivers are tried in each process anew: {}", problem);
}

std::string ProbeMemory::entry_name(const DriverFile& driver) const {
  FieldHasher hasher;
  for (const std::string& field :
       {std::string(kFormat), std::string(version()), driver.icd, os::file_identity(driver.icd), driver.library,
        loader_, os::file_identity(loader_), environment("LD_LIBRARY_PATH").value_or("")})
    hasher.add(field);
  for (const std::string& variable : driver_variables()) hasher.add(variable);
  return "probe-" + to_hex(hasher.finish());
}

std::optional<DriverTrial> ProbeMemory::recall(const DriverFile& driver) const {
  const auto bytes = cache_.folder ? cache_.folder->read(entry_name(driver), kLargestEntry) : std::nullopt;
  if (!bytes) return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const std::size_t identity_end = text.find('\n');
  const std::size_t time_end = text.find('\n', identity_end + 1);
  if (identity_end == text.npos || time_end == text.npos) return std::nullopt;

  auto trial = trial_from(text.substr(time_end + 1));
  if (!trial || os::file_identity(library_of(driver, *trial)) != text.substr(0, identity_end)) return std::nullopt;
  if (!is_fresh(*trial, text.substr(identity_end + 1, time_end - identity_end - 1))) return std::nullopt;
  return trial;
}

void ProbeMemory::keep(const DriverFile& driver, const DriverTrial& trial) const {
  if (!cache_.writable()) return;
  const std::string text =
      fmt::format("{}\n{}\n{}", os::file_identity(library_of(driver, trial)), now().count(), to_text(trial));
  std::string problem;
  if (!cache_.folder->replace(entry_name(driver), std::as_bytes(std::span(text)), problem))
    log::info("what came of trying driver {} is not kept: {}", driver.description(), problem);
}

}  // namespace anycl::detail
