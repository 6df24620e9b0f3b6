/// \file  Devices and what they can do. Layer 1 (device).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/device/capabilities.hpp"
#include "anycl/export.hpp"

namespace anycl {

enum class DeviceKind { discrete_gpu, integrated_gpu, cpu, accelerator, emulator };

/// "discrete gpu", "cpu", ...
[[nodiscard]] ANYCL_API std::string_view to_string(DeviceKind kind) noexcept;

namespace detail {
struct DeviceRecord;
}

/// One device as one driver shows it, or a part of one. A cheap handle: copies name the same device, and the last one of
/// a sub-device gives it back to the driver. Any thread.
class ANYCL_API Device {
 public:
  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] const std::string& vendor() const noexcept;
  [[nodiscard]] const std::string& driver_version() const noexcept;
  [[nodiscard]] const std::string& platform_name() const noexcept;
  [[nodiscard]] const std::string& platform_version() const noexcept;
  /// Short name of the driver for selections: pocl, intel, rusticl, nvidia, amd, oclgrind ..., else the platform's.
  [[nodiscard]] const std::string& platform_alias() const noexcept;
  /// Stays the same over runs: the driver's UUID, else the PCI place, else platform, name and ordinal. Of a sub-device:
  /// its parent's, and which part of that it is.
  [[nodiscard]] const std::string& id() const noexcept;
  [[nodiscard]] DeviceKind kind() const noexcept;
  [[nodiscard]] const Capabilities& capabilities() const noexcept;

  /// The device that this one is a part of (anycl/device/partition.hpp); empty for a whole one.
  [[nodiscard]] std::optional<Device> parent() const;

  /// True for handles of the same device under the same driver.
  friend ANYCL_API bool operator==(const Device& a, const Device& b) noexcept;

  /// Library internals; not part of the API.
  explicit Device(std::shared_ptr<const detail::DeviceRecord> record) noexcept : record_(std::move(record)) {}
  [[nodiscard]] const detail::DeviceRecord& record() const noexcept { return *record_; }

 private:
  std::shared_ptr<const detail::DeviceRecord> record_;
};

/// One OpenCL driver and its devices; a driver may have none.
struct Platform {
  std::string name;
  std::string vendor;
  std::string version;
  std::string alias;
  std::vector<Device> devices;
};

/// What this machine offers, platforms ordered by alias whatever order the loader gives.
struct Discovery {
  std::string loader;  ///< file of the OpenCL loader in use
  std::vector<Platform> platforms;
  std::vector<std::string> warnings;  ///< one line per thing that is there but cannot be used

  /// All devices, platform by platform.
  [[nodiscard]] ANYCL_API std::vector<Device> devices() const;
};

/// Asks the loader for all platforms and devices. No platform is an empty list, not an error.
/// \throws NoDevice       when there is no loader, or one that lacks a symbol.
/// \throws UsedAfterFork  in a child of a process that has used OpenCL.
[[nodiscard]] ANYCL_API Discovery discover();

/// What is remembered of a driver that was tried in a child process.
struct TriedDriver {
  std::string file;                            ///< that names it to the loader; empty where a variable does
  std::string library;                         ///< as that file or variable words it
  std::string outcome;                         ///< one line, to follow its name: "ended with exit code 3"
  bool left_out = false;                       ///< a process that looks for devices now does without it
  std::vector<std::string> compiler_faults{};  ///< one line for each device that is then used only by name
};

/// What a process that looks for devices now would believe of drivers without trying them again: nothing where ANYCL_PROBE says
/// otherwise. `loader` is the file of the OpenCL loader, as in `Discovery`. Needs no OpenCL, and changes nothing.
[[nodiscard]] ANYCL_API std::vector<TriedDriver> tried_drivers(const std::string& loader);

/// Forgets what came of trying drivers in child processes, so that the next process to look for devices tries them again; tells
/// how many tries were remembered. Cares for the cache's folder whatever ANYCL_CACHE says of its use, and needs no OpenCL.
/// \throws IoError  when that folder cannot be opened, or is not this user's alone.
ANYCL_API std::size_t forget_tried_drivers();

}  // namespace anycl
