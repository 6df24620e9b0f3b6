/// \file  Kernels as people and programs read them.
#pragma once

#include <string>

#include "anycl/program/kernel_info.hpp"
#include "json_document.hpp"

namespace anycl::command {

/// "groups of up to 4096, best multiples of 8; 64 B local, 12 B private"
[[nodiscard]] std::string resources_text(const KernelInfo& kernel);

[[nodiscard]] Json describe(const KernelInfo& kernel);

/// "16x4x1"
[[nodiscard]] std::string extents_text(const Extents& extents);
[[nodiscard]] Json describe(const Extents& extents);

}  // namespace anycl::command
