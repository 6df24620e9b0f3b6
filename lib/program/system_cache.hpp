/// \file  Builds that a machine keeps for all its users. Layer 3 (program).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/cache_settings.hpp"
#include "base/digest.hpp"
#include "base/os_file.hpp"
#include "program/cache_entry.hpp"

namespace anycl::detail {

/// A folder of entries that root has put there, from a package or by `anycl cache export`. That root wrote it is what makes it
/// trusted; its secret is no secret, and tells damage only. Never written to.
class SystemCache {
 public:
  /// The folder that they ask for; nothing when it is not there or may not be used. One warning when it is there
  /// and cannot be trusted.
  [[nodiscard]] static std::optional<SystemCache> open(const CacheSettings& settings);

  /// Nothing when there is none; one that is damaged is logged.
  [[nodiscard]] std::optional<CacheEntry> load(const CacheKey& key) const;

 private:
  SystemCache(os::PrivateFolder folder, Digest secret, std::string path)
      : folder_(std::move(folder)), secret_(secret), path_(std::move(path)) {}

  os::PrivateFolder folder_;
  Digest secret_;
  std::string path_;
};

}  // namespace anycl::detail
