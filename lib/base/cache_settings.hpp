/// \file  Where things are kept over runs, and how. Layer 0 (base).
#pragma once

#include <cstdint>
#include <string>

namespace anycl {

/// As the environment says: ANYCL_CACHE, ANYCL_CACHE_DIR, ANYCL_CACHE_LIMIT, ANYCL_SYSTEM_CACHE_DIR.
struct CacheSettings {
  enum class Mode {
    off,
    read_only,
    read_write,
    verify,  ///< as read_write; what is found is built again, and compared
  };

  Mode mode = Mode::off;        ///< off for a process with another user's rights
  std::string folder;           ///< empty when there is no place that is this user's own
  std::uint64_t limit = 0;      ///< bytes that all entries may take together
  std::string system_folder{};  ///< root's, which serves all users

  /// What cannot be understood is the default, with a warning.
  [[nodiscard]] static CacheSettings from_environment();
};

}  // namespace anycl
