/// \file  How programs are built. Layer 3 (program).
#pragma once

#include <chrono>
#include <cstdint>

#include "anycl/program/build_options.hpp"

namespace anycl::detail {

struct BuildSettings {
  bool in_child = false;           ///< in a process of its own, which may crash
  bool may_use_child = true;       ///< false where the process has another user's rights
  std::chrono::seconds limit{60};  ///< of one build
  std::uint64_t memory = 0;        ///< bytes that such a process may have

  /// ANYCL_BUILD, ANYCL_BUILD_LIMIT, ANYCL_BUILD_MEMORY; with a warning for each that makes no sense.
  [[nodiscard]] static BuildSettings from_environment();

  [[nodiscard]] bool use_child(BuildPlace place) const noexcept {
    return may_use_child && (in_child || place == BuildPlace::child);
  }
};

}  // namespace anycl::detail
