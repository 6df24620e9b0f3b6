/// \file  The folder where things are kept over runs. Layer 0 (base).
#pragma once

#include <optional>
#include <string>

#include "base/cache_settings.hpp"
#include "base/os_file.hpp"

namespace anycl {

struct CachePlace {
  CacheSettings settings{};
  std::optional<os::PrivateFolder> folder{};  ///< there unless the mode is off

  /// Opens the folder that the environment asks for, and makes it if that may write. Off, with the reason in `problem`, when
  /// it cannot be trusted or made; without one when nobody wants it.
  [[nodiscard]] static CachePlace from_environment(std::string& problem) {
    return open(CacheSettings::from_environment(), problem);
  }
  [[nodiscard]] static CachePlace open(CacheSettings settings, std::string& problem);

  [[nodiscard]] bool readable() const noexcept { return settings.mode != CacheSettings::Mode::off; }
  [[nodiscard]] bool writable() const noexcept {
    return settings.mode == CacheSettings::Mode::read_write || settings.mode == CacheSettings::Mode::verify;
  }
};

}  // namespace anycl
