/// \file  Why a driver's library cannot be opened.
#pragma once

#include <string>
#include <string_view>

#include "doctor/finding.hpp"

namespace anycl::command {

/// What advice calls the file that names a driver; who knows its name puts that in the place.
inline constexpr std::string_view kDriverFile = "the driver file";

/// Of `library`, as a driver file words it; empty when it may be opened. Nothing is opened.
[[nodiscard]] std::string reason_not_to_open(const std::string& library);

/// The finding on a `library` that the system refuses with `problem`: a name with blanks in it, another machine's library, all
/// libraries that are missing with it. Opens those that are there, so it is for a child.
[[nodiscard]] Finding fault_of_library(const std::string& library, const std::string& problem);

}  // namespace anycl::command
