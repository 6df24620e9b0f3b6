/// \file  One driver that the loader lists twice. Layer 1 (device).
#pragma once

#include "anycl/device/device.hpp"

namespace anycl::detail {

/// Drops platforms that are there already, as with two ICD files for one driver, and warns of each. Platforms are the same
/// when their handles are, or when version and all devices agree and each device is known by UUID, by PCI place or as the
/// host's processor.
void drop_doubles(Discovery& discovery);

}  // namespace anycl::detail
