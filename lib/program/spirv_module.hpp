/// \file  What a SPIR-V module is before a driver reads it. Layer 3 (program).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "anycl/device/capabilities.hpp"

namespace anycl::detail {

/// Drivers trust a module's sizes: its header, and where each instruction ends, must be right before they see it. That it
/// has a kernel is checked too; what its instructions say is not.
/// Source: SPIR-V 1.6, section 2.3 "Physical Layout of a SPIR-V Module and Instruction".
/// \throws InvalidArgument  naming `name` and what is wrong where.
void check_spirv(std::span<const std::byte> module, std::string_view name);

/// Of SPIR-V, that a checked module is written in.
[[nodiscard]] Version spirv_version(std::span<const std::byte> module) noexcept;

}  // namespace anycl::detail
