/// \file  Version of the library in use; the macros ANYCL_VERSION_* are those of the headers compiled against. Layer 0 (base).
#pragma once

#include <string_view>

#include "anycl/export.hpp"
#include "anycl/version.hpp"

namespace anycl {

/// Version of the loaded library, for example "0.1.0"; differs from ANYCL_VERSION_STRING after an upgrade in place.
[[nodiscard]] ANYCL_API std::string_view version() noexcept;

}  // namespace anycl
