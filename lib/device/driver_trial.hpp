/// \file  Trying one driver, in a process that may end by it. Layer 1 (device).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::detail {

/// In an id's place.
inline constexpr std::string_view kAllDevices = "*";

/// What came of it.
struct DriverTrial {
  enum class Verdict {
    usable,   ///< it answers, maybe that there is nothing for it here
    useless,  ///< loaders pass it over by themselves
    harmful,  ///< it must not be loaded
  };
  struct CompilerFault {
    std::string device;  ///< its id, or kAllDevices
    std::string text;    ///< one line
  };

  Verdict verdict = Verdict::usable;
  std::string text{};     ///< one line, to follow the driver's name: "ended with exit code 3"
  std::string library{};  ///< the file that the system took for it; empty when unknown
  std::vector<CompilerFault> compiler_faults{};
  std::string building{};  ///< the device whose compiler had not come to an end when this was written; else empty
};

/// The lines in which a trial crosses a pipe and lies in a file.
[[nodiscard]] std::string to_text(const DriverTrial& trial);

/// Nothing for any other text.
[[nodiscard]] std::optional<DriverTrial> trial_from(std::string_view text);

/// What a trial says before and after a device's compiler is tried; `fault` is empty when it works. They follow `to_text`.
[[nodiscard]] std::string building_line(std::string_view device);
[[nodiscard]] std::string built_line(std::string_view fault);

/// Loads what the vendor folder in force shows, asks for all platforms and devices as `discover()` does, and judges the
/// answers. `library` is what the one driver file there names.
[[nodiscard]] DriverTrial try_driver(const std::string& library);

}  // namespace anycl::detail
