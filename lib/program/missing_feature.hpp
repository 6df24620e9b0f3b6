/// \file  What a compiler's message says of an extension that the device lacks. Layer 3 (program).
#pragma once

#include <string>
#include <string_view>

#include "anycl/device/capabilities.hpp"

namespace anycl::detail {

/// The extension without which the source of `message` cannot be built: one that the message names, or to which the type or
/// the function belongs that it refuses. Empty when the message is about something else, or the device has the extension.
[[nodiscard]] std::string missing_extension(std::string_view message, const Capabilities& facts);

}  // namespace anycl::detail
