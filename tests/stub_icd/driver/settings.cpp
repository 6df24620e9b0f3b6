#include "settings.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "device_model.hpp"

namespace anycl::stub {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Splits at `separator`; each part without blanks around it.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class T>
std::optional<T> to_number(std::string_view text) {
  T number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The number in "word:number"; nothing for other words.
template <class T>
std::optional<T> number_after(std::string_view text, std::string_view word) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with(':')) return std::nullopt;
  return to_number<T>(text.substr(word.size() + 1));
}

/// Not negative, and short enough to be slept.
std::optional<double> seconds_after(std::string_view text, std::string_view word) {
  const auto seconds = number_after<double>(text, word);
  return seconds && *seconds >= 0 && *seconds <= 1e6 ? seconds : std::nullopt;
}

/// "512", "64K", "512M", "2G".
std::optional<std::uint64_t> to_size(std::string_view text) {
  constexpr std::string_view units = "KMG";
  const auto unit = text.empty() ? std::string_view::npos : units.find(text.back());
  const unsigned shift = unit == std::string_view::npos ? 0 : 10 * static_cast<unsigned>(unit + 1);
  if (shift != 0) text.remove_suffix(1);
  const auto number = to_number<std::uint64_t>(text);
  if (!number || *number == 0 || *number > (UINT64_MAX >> shift)) return std::nullopt;
  return *number << shift;
}

bool read_load(Settings& settings, std::string_view value) {
  using enum Settings::Load;
  const auto seconds = seconds_after(value, "sleep");
  settings.load_seconds = seconds.value_or(0);
  settings.load = seconds ? sleep : value == "abort" ? abort : fail;
  return seconds || value == "abort" || value == "fail";
}

bool read_platforms(Settings& settings, std::string_view value) {
  using enum Settings::Platforms;
  const auto seconds = seconds_after(value, "sleep");
  const auto code = number_after<cl_int>(value, "error");
  const auto nulls = number_after<cl_uint>(value, "null");
  settings.platforms_seconds = seconds.value_or(0);
  settings.platforms_error = code.value_or(CL_SUCCESS);
  settings.null_platforms = nulls.value_or(0);
  settings.platforms = seconds ? sleep : code ? error : nulls ? null : value == "abort" ? abort : none;
  return seconds || (code && *code != CL_SUCCESS) || nulls || value == "abort" || value == "none";
}

bool read_devices(Settings& settings, std::string_view value) {
  settings.devices.clear();
  if (value == "none") return true;
  for (const std::string_view key : split(value, ',')) {
    if (find_model(key) == nullptr) return false;
    settings.devices.emplace_back(key);
  }
  return true;
}

bool read_device_count(Settings& settings, std::string_view value) {
  settings.claimed_devices = to_number<cl_uint>(value);
  return settings.claimed_devices.has_value();
}

bool read_build(Settings& settings, std::string_view value) {
  using enum Settings::Build;
  if (const auto seconds = seconds_after(value, "slow")) {
    settings.build = slow;
    settings.build_seconds = *seconds;
    return true;
  }
  if (const auto count = number_after<std::uint64_t>(value, "fail-first")) {
    settings.build = fail_first;
    settings.failing_builds = *count;
    return true;
  }
  constexpr std::pair<std::string_view, Settings::Build> kWords[] = {
      {"ok", good},       {"never", never}, {"crash", crash}, {"crash-optimised", crash_optimised},
      {"devour", devour}, {"fail", fail}};
  for (const auto& [word, build] : kWords) {
    if (value != word) continue;
    settings.build = build;
    return true;
  }
  return false;
}

bool read_binary(Settings& settings, std::string_view value) {
  using enum Settings::Binary;
  settings.binary = value == "refuse" ? refused : refused_late;
  return value == "refuse" || value == "late-refuse";
}

bool read_kernel_ns(Settings& settings, std::string_view value) {
  const auto time = to_number<std::uint64_t>(value);
  settings.kernel_ns = time.value_or(0);
  return time.has_value();
}

bool read_finish(Settings& settings, std::string_view value) {
  settings.never_finishes = true;
  return value == "never";
}

bool read_exec(Settings& settings, std::string_view value) {
  settings.failing_kernel = number_after<std::uint64_t>(value, "fail").value_or(0);
  return settings.failing_kernel != 0;
}

bool read_link(Settings& settings, std::string_view value) {
  settings.link_modelled = true;
  return value == "modelled";
}

bool read_memory(Settings& settings, std::string_view value) {
  const auto size = to_size(value);
  settings.memory_bytes = size.value_or(0);
  return size.has_value();
}

template <std::optional<std::string> Settings::*Member>
bool read_text(Settings& settings, std::string_view value) {
  settings.*Member = std::string(value);
  return true;
}

struct Entry {
  std::string_view key;
  std::string_view takes;
  bool (*read)(Settings&, std::string_view);
};

constexpr Entry kEntries[] = {
    {"load", "abort|sleep:SECONDS|fail", read_load},
    {"platforms", "sleep:SECONDS|abort|none|error:CODE|null:COUNT", read_platforms},
    {"devices", "none|MODEL,...", read_devices},
    {"device-count", "NUMBER", read_device_count},
    {"platform-name", "TEXT", read_text<&Settings::platform_name>},
    {"chatter", "TEXT", read_text<&Settings::chatter>},
    {"device-name", "TEXT", read_text<&Settings::device_name>},
    {"driver-version", "TEXT", read_text<&Settings::driver_version>},
    {"build", "ok|never|crash|crash-optimised|devour|slow:SECONDS|fail|fail-first:COUNT", read_build},
    {"binary", "refuse|late-refuse", read_binary},
    {"kernel-ns", "NANOSECONDS", read_kernel_ns},
    {"exec", "fail:NUMBER", read_exec},
    {"finish", "never", read_finish},
    {"link", "modelled", read_link},
    {"memory", "BYTES[K|M|G]", read_memory},
};

std::string known_models() {
  std::string text;
  for (const DeviceModel& model : device_models()) text += (text.empty() ? "" : ", ") + std::string(model.key);
  return text;
}

[[noreturn]] void refuse(const Entry& entry, std::string_view part) {
  std::string line =
      "setting '" + std::string(part) + "': it takes " + std::string(entry.key) + "=" + std::string(entry.takes);
  if (entry.key == "devices") line += "; the models are " + known_models();
  throw std::invalid_argument(line);
}

void read_part(Settings& settings, std::string_view part) {
  const auto equals = part.find('=');
  const std::string_view key = trimmed(part.substr(0, equals));
  const auto* entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                   [key](const Entry& candidate) { return candidate.key == key; });
  if (entry == std::end(kEntries)) throw std::invalid_argument("unknown setting '" + std::string(part) + "'");
  const std::string_view value = equals == std::string_view::npos ? "" : trimmed(part.substr(equals + 1));
  if (value.empty() || !entry->read(settings, value)) refuse(*entry, part);
}

}  // namespace

Settings parse_settings(std::string_view text) {
  Settings settings;
  for (const std::string_view part : split(text, ';'))
    if (!part.empty()) read_part(settings, part);
  return settings;
}

}  // namespace anycl::stub
