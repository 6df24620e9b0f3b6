/// \file  Drivers are tried before this process loads them, and bad ones are left out. Layer 1 (device).
#pragma once

#include <string>
#include <vector>

#include "device/driver_files.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

/// A driver that this process does without.
struct LeftOutDriver {
  DriverFile file;
  std::string library;   ///< what the system took, or would take, for it
  std::string reason;    ///< to follow the driver's name
  std::string way_back;  ///< how it is used all the same; empty where the reason tells that

  /// The reason, and the way back.
  [[nodiscard]] std::string explanation() const;
};

/// A device whose driver is fine but for the compiler.
struct FaultyCompiler {
  std::string library;  ///< of the driver
  std::string device;   ///< its id, or kAllDevices
  std::string reason;   ///< one line
};

/// What trying the machine's drivers has shown.
struct DriverProbe {
  std::vector<LeftOutDriver> left_out;
  std::vector<std::string> kept_libraries;  ///< of the other drivers, where any is left out
  std::vector<FaultyCompiler> faulty_compilers;
  std::vector<std::string> warnings;  ///< one line for each driver that is no good, and for what kept us from trying

  /// Null for a driver that is in use.
  [[nodiscard]] const LeftOutDriver* find(const DriverFile& file) const noexcept;

  /// Null for a device whose compiler works, as far as is known.
  [[nodiscard]] const FaultyCompiler* find_compiler(cl_platform_id platform, const std::string& device_id) const;

  /// True for a platform whose driver could not be kept out of the process and should have been. A library that another
  /// driver file names too is left out with the last of them.
  [[nodiscard]] bool leaves_out(cl_platform_id platform) const;
};

/// The same all through the process's life. The first call, which must be the library's first use of OpenCL, does the work:
///
/// - ANYCL_PROBE: unset, drivers that were not tried before as they are now are each loaded in a child process, all at once,
///   under a time limit (ANYCL_PROBE_LIMIT); `child`: all drivers are; `inline`: none is.
/// - ANYCL_DRIVERS: `!name` leaves drivers out by hand, tried or not.
/// - A driver that has ended its child, or said nothing in time, or answered nonsense, is left out with a warning.
///
/// To leave drivers out, the loader is shown a private vendor folder for as long as it takes to load the others: the
/// environment is then put back. Where the host has used OpenCL before that comes too late, and no driver is tried; the
/// platforms of those to be left out are not used. Nothing of this is done in a set-uid process, or without an ICD loader.
/// Drivers that could not be tried are told in the log before they are loaded, since the process may not live to tell it later.
/// \throws NoDevice  as `entry_points()`, and where drivers must be left out and there is no place for that folder.
[[nodiscard]] const DriverProbe& driver_probe();

}  // namespace anycl::detail
