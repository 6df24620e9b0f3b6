#include "device/silent_driver.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/os_regular_file.hpp"
#include "device/native_lists.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;
using Verdict = DriverTrial::Verdict;

/// A driver that its card's maker has written, and that drives nothing else.
struct CardDriver {
  std::string_view file_part;
  std::string_view vendor;  ///< as sysfs writes it
  std::string_view maker;
};

constexpr CardDriver kCardDrivers[] = {
    {"nvidia", "0x10de", "NVIDIA"},
    {"amdocl", "0x1002", "AMD"},
    {"igdrcl", "0x8086", "Intel"},
};

const CardDriver* card_driver_in(const std::string& file) {
  const std::string name = fs::path(file).filename();
  const auto* const found =
      std::find_if(std::begin(kCardDrivers), std::end(kCardDrivers),
                   [&](const CardDriver& driver) { return name.find(driver.file_part) != std::string::npos; });
  return found != std::end(kCardDrivers) ? found : nullptr;
}

std::string sysfs_text(const fs::path& file) {
  constexpr std::size_t kLargest = 4096;
  const std::string text = os::read_regular_file(file, kLargest).text;
  return text.substr(0, text.find('\n'));
}

/// A display controller or a processing accelerator of that maker.
bool has_card(const fs::path& sysfs, std::string_view vendor) {
  std::error_code failed;
  fs::directory_iterator entry(sysfs / "bus/pci/devices", failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    if (sysfs_text(entry->path() / "vendor") != vendor) continue;
    const std::string kind = sysfs_text(entry->path() / "class");
    if (kind.starts_with("0x03") || kind.starts_with("0x12")) return true;
  }
  return false;
}

bool makes_sense(const PlatformAnswer& answer) {
  return answer.code <= CL_SUCCESS && answer.count <= kMostHandles && !answer.has_null;
}

}  // namespace

std::optional<PlatformAnswer> ask_for_platforms(const os::Library& driver) {
  using Finder = void*(CL_API_CALL*)(const char*);
  const auto find = reinterpret_cast<Finder>(driver.find("clGetExtensionFunctionAddress"));
  const auto ask =
      find != nullptr ? reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(find("clIcdGetPlatformIDsKHR")) : nullptr;
  if (ask == nullptr) return std::nullopt;
  PlatformAnswer answer;
  answer.code = ask(0, nullptr, &answer.count);
  if (answer.code != CL_SUCCESS) answer.count = 0;
  if (answer.count == 0 || answer.count > kMostHandles) return answer;
  std::vector<cl_platform_id> handles(answer.count);
  answer.code = ask(answer.count, handles.data(), nullptr);
  answer.has_null = answer.code == CL_SUCCESS && std::count(handles.begin(), handles.end(), nullptr) != 0;
  return answer;
}

DriverTrial judge_silence(const std::string& file, const std::optional<PlatformAnswer>& answer,
                          const std::string& sysfs) {
  const DriverTrial nothing_to_drive{Verdict::usable, "has no platform for this machine", file};
  if (!answer) return {Verdict::useless, "is no OpenCL driver: it lacks clIcdGetPlatformIDsKHR", file};
  if (!makes_sense(*answer)) return {Verdict::harmful, "answers nonsense when asked for its platforms", file};
  if (answer->code == CL_SUCCESS && answer->count != 0)
    return {Verdict::useless, "has platforms that the OpenCL loader does not take", file};

  const bool says_none = answer->code == CL_SUCCESS || answer->code == CL_PLATFORM_NOT_FOUND_KHR;
  const CardDriver* driver = card_driver_in(file);
  const bool sees_no_card = driver != nullptr && has_card(sysfs, driver->vendor);
  if (!sees_no_card && (says_none || driver != nullptr)) return nothing_to_drive;
  std::string text =
      says_none ? "has no platform" : fmt::format("gives {} when asked for its platforms", describe_code(answer->code));
  if (sees_no_card)
    text += fmt::format(
        ", though there is a card of {}: reboot after an update of the driver, else load its kernel module; a "
        "container "
        "must be given the card's device files",
        driver->maker);
  return {Verdict::useless, std::move(text), file};
}

}  // namespace anycl::detail
