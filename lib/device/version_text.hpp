/// \file  Versions as drivers word them. Layer 1 (device).
#pragma once

#include <optional>
#include <string_view>

#include "anycl/device/capabilities.hpp"

namespace anycl::detail {

/// The first dotted number in `text`, of which three parts count: {3, 0, 0} of "OpenCL 3.0 CUDA 12.4", {550, 54, 14} of
/// "550.54.14", {2024, 17, 3} of "2024.17.3.0.08". Empty without one, or with a part that no version has.
[[nodiscard]] std::optional<Version> find_version(std::string_view text) noexcept;

}  // namespace anycl::detail
