/// \file  What a driver means that shows the loader no platform. Layer 1 (device).
#pragma once

#include <optional>
#include <string>

#include "base/os_library.hpp"
#include "device/driver_trial.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

/// What a driver answers a loader that asks for its platforms. Loaders keep that to themselves.
struct PlatformAnswer {
  cl_int code = CL_SUCCESS;
  cl_uint count = 0;
  bool has_null = false;  ///< among the handles
};

/// Asks `driver` as a loader does. Nothing when it has no entry for that.
[[nodiscard]] std::optional<PlatformAnswer> ask_for_platforms(const os::Library& driver);

/// Judges the driver in `file` of which the loader took no platform. That there is nothing for it to drive is no fault; but a
/// graphics card's own driver that does not see the card is not usable. `sysfs` is where the system shows its devices.
[[nodiscard]] DriverTrial judge_silence(const std::string& file, const std::optional<PlatformAnswer>& answer,
                                        const std::string& sysfs = "/sys");

}  // namespace anycl::detail
