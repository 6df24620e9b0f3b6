/// \file  How long the soak tests run.
#pragma once

#include "anycl/device/device.hpp"
#include "support/scale.hpp"

namespace anycl::test {

/// `rounds()` of launches. rusticl takes 320 us for one where others take 2, so it gets a tenth of them.
[[nodiscard]] inline int launches(const Device& device, int full, int fast) {
  return rounds(full, fast) / (device.platform_alias() == "rusticl" ? 10 : 1);
}

}  // namespace anycl::test
