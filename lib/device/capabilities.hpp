/// \file  Reading what a device can do. Layer 1 (device).
#pragma once

#include <string>
#include <string_view>

#include "anycl/device/capabilities.hpp"
#include "device/device_query.hpp"

namespace anycl::detail {

/// Asks for everything once. No query is made that the device's version and extensions do not promise, beyond those of
/// OpenCL 1.2; a query that is refused all the same leaves its fact empty.
[[nodiscard]] Capabilities read_capabilities(const DeviceQuery& query, std::string_view platform_version);

/// "pci-0000:01:00.0", as `lspci` counts.
[[nodiscard]] std::string pci_text(const PciPlace& place);

}  // namespace anycl::detail
