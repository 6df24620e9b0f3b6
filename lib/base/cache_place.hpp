/// \file  Where things are kept over runs. Layer 0 (base).
#pragma once

#include <optional>
#include <string>

#include "base/os_file.hpp"

namespace anycl {

enum class CacheMode { off, read_only, read_write };

/// The folder that the environment asks for: ANYCL_CACHE (on, off, readonly) and ANYCL_CACHE_DIR, else
/// $XDG_CACHE_HOME/anycl, else .cache/anycl in the user's home. Never there for a set-uid process.
struct CachePlace {
  CacheMode mode = CacheMode::off;
  std::string path{};
  std::optional<os::PrivateFolder> folder{};  ///< there unless `mode` is off

  /// Off, with the reason in `problem`, when the folder cannot be trusted or made; without one when nobody wants it.
  [[nodiscard]] static CachePlace from_environment(std::string& problem);
};

}  // namespace anycl
