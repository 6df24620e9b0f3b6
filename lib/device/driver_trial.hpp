/// \file  Trying one driver, in a process that may end by it. Layer 1 (device).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anycl::detail {

/// What came of it.
struct DriverTrial {
  enum class Verdict {
    usable,   ///< it answers, maybe that there is nothing for it here
    useless,  ///< loaders pass it over by themselves
    harmful,  ///< it must not be loaded
  };
  Verdict verdict = Verdict::usable;
  std::string text;     ///< one line, to follow the driver's name: "ended with exit code 3"
  std::string library;  ///< the file that the system took for it; empty when unknown
};

/// The lines in which a trial crosses a pipe and lies in a file.
[[nodiscard]] std::string to_text(const DriverTrial& trial);

/// Nothing for any other text.
[[nodiscard]] std::optional<DriverTrial> trial_from(std::string_view text);

/// Loads what the vendor folder in force shows, asks for all platforms and devices as `discover()` does, and judges the
/// answers. `library` is what the one driver file there names.
[[nodiscard]] DriverTrial try_driver(const std::string& library);

}  // namespace anycl::detail
