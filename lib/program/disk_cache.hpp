/// \file  Builds kept over runs. Layer 3 (program).
#pragma once

#include <optional>

#include "base/cache_place.hpp"
#include "program/cache_entry.hpp"
#include "program/system_cache.hpp"

namespace anycl::detail {

/// A folder of entries, one file each, that this user alone may write to, and behind it one of root's that serves all users
/// and is only read. Reading needs no lock; writing replaces whole files. Nothing here ever throws for what it finds on
/// disk: a build from source is always the way out.
class DiskCache {
 public:
  /// The cache that the environment asks for: ANYCL_CACHE (on, off, readonly, verify), ANYCL_CACHE_LIMIT and ANYCL_CACHE_DIR,
  /// else $XDG_CACHE_HOME/anycl, else .cache/anycl in the user's home. Off, with one warning, when the folder cannot be
  /// trusted or made. And ANYCL_SYSTEM_CACHE_DIR, else /var/cache/anycl, unless all is off.
  [[nodiscard]] static DiskCache from_environment();

  DiskCache() = default;

  /// Whether there is a folder of this user's.
  [[nodiscard]] bool readable() const noexcept { return place_.readable(); }
  [[nodiscard]] bool writable() const noexcept { return place_.writable(); }
  /// Whether what is found here shall be compared with a build from source.
  [[nodiscard]] bool verifies() const noexcept { return verifies_; }

  struct Lookup {
    std::optional<CacheEntry> entry;
    bool damaged = false;  ///< in this user's folder there was one that is not what we wrote
  };
  [[nodiscard]] Lookup load(const CacheKey& key) const;

  /// False when it could not be stored; the first failure is logged. Where all entries then take more than the limit, those
  /// that were not used for longest go. Other processes may read them meanwhile, and store and remove their own.
  bool store(const CacheKey& key, const CacheEntry& entry) const;

  void remove(const CacheKey& key) const noexcept;

 private:
  [[nodiscard]] Lookup load_own(const CacheKey& key) const;

  CachePlace place_;
  Digest secret_{};
  bool verifies_ = false;
  std::optional<SystemCache> system_;
};

}  // namespace anycl::detail
