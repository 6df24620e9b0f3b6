/// \file  All that is known of a device, for programs and for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "anycl/device/device.hpp"
#include "json_document.hpp"

namespace anycl::command {

/// "0000:01:00.0", as the system writes it.
[[nodiscard]] std::string place_text(const PciPlace& place);

/// Names end in the unit: `_bytes`, `_mhz`, `_ns`, `_bits`, `_pixels`. What a device does not tell is null.
[[nodiscard]] Json device_facts(const Device& device);

/// The same, one line each: a dotted name, and the value as people read it, "-" for null. Empty texts and lists are left
/// out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> readable_facts(const Json& facts);

}  // namespace anycl::command
