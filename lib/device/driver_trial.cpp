#include "device/driver_trial.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/device/device.hpp"
#include "base/os_library.hpp"
#include "device/entry_points.hpp"
#include "device/native_lists.hpp"
#include "device/silent_driver.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;
using Verdict = DriverTrial::Verdict;

constexpr std::array<std::string_view, 3> kWords{"usable", "useless", "harmful"};  // in the order of Verdict

/// The first line of `text`, which it loses.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Of the lines about compilers.
constexpr std::string_view kBuilding = "building ";
constexpr std::string_view kBuilt = "built";
constexpr std::string_view kFailed = "failed ";

/// Adds what `line`, one about a compiler, says. False for any other.
bool take_build(std::string_view line, DriverTrial& trial) {
  if (line.starts_with(kBuilding) && trial.building.empty()) {
    trial.building = line.substr(kBuilding.size());
    return !trial.building.empty();
  }
  const bool failed = line.starts_with(kFailed) && line.size() > kFailed.size();  // never without a reason
  if (trial.building.empty() || (line != kBuilt && !failed)) return false;
  if (failed) trial.compiler_faults.push_back({trial.building, std::string(line.substr(kFailed.size()))});
  trial.building.clear();
  return true;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

/// Such a name is no typing error that can be seen.
bool ends_in_blank(std::string_view library) { return library.find_last_of(" \t\r") + 1 == library.size(); }

/// Why the loader has no platform of the driver in `library`.
DriverTrial judge_unseen(const std::string& library) {
  const auto opened = os::Library::open(library);
  if (!opened)
    return {Verdict::useless, fmt::format("cannot be opened: {}{}", opened.problem(),
                                          ends_in_blank(library) ? "; a blank or carriage return ends the name" : "")};
  const std::string file = opened.file();
  if (same_file(file, entry_points().library) || fs::path(file).filename().string().starts_with("libOpenCL.so"))
    return {Verdict::harmful, "is an OpenCL loader itself, no driver", file};
  if (opened.find("clGetExtensionFunctionAddress") == nullptr)
    return {Verdict::useless, "is no OpenCL driver: it lacks clGetExtensionFunctionAddress", file};
  return judge_silence(file, ask_for_platforms(opened));
}

/// The number of devices, if it makes sense. A refusal does, and discovery tells it.
std::optional<std::size_t> count_devices(cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code < CL_SUCCESS) return 0;
  if (code > CL_SUCCESS || count > kMostHandles) return std::nullopt;
  return count;
}

}  // namespace

std::string to_text(const DriverTrial& trial) {
  std::string text = fmt::format("{}\n{}\n{}\n", kWords[static_cast<std::size_t>(trial.verdict)], one_line(trial.text),
                                 one_line(trial.library));
  for (const auto& [device, fault] : trial.compiler_faults) text += building_line(device) + built_line(fault);
  if (!trial.building.empty()) text += building_line(trial.building);
  return text;
}

std::string building_line(std::string_view device) {
  return fmt::format("{}{}\n", kBuilding, one_line(std::string(device)));
}

std::string built_line(std::string_view fault) {
  return fault.empty() ? fmt::format("{}\n", kBuilt) : fmt::format("{}{}\n", kFailed, one_line(std::string(fault)));
}

std::optional<DriverTrial> trial_from(std::string_view text) {
  if (std::count(text.begin(), text.end(), '\n') < 3 || text.back() != '\n') return std::nullopt;
  const auto word = std::find(kWords.begin(), kWords.end(), take_line(text));
  if (word == kWords.end()) return std::nullopt;
  DriverTrial trial{static_cast<Verdict>(word - kWords.begin())};
  trial.text = take_line(text);
  trial.library = take_line(text);
  while (!text.empty())
    if (!take_build(take_line(text), trial)) return std::nullopt;
  return trial;
}

DriverTrial try_driver(const std::string& library) {
  std::vector<cl_platform_id> platforms = list_platforms().handles;
  if (platforms.empty()) return judge_unseen(library);
  const std::string file = driver_file(platforms.front());
  std::size_t devices = 0;
  for (const cl_platform_id platform : platforms) {
    const auto count = count_devices(platform);
    if (!count) return {Verdict::harmful, "answers nonsense when asked for its devices", file};
    devices += *count;
  }
  static_cast<void>(discover());  // asks each device all that this process would
  return {Verdict::usable, fmt::format("platforms: {}, devices: {}", platforms.size(), devices), file};
}

}  // namespace anycl::detail
