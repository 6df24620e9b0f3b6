/// \file  Builds kept over runs. Layer 3 (program).
#pragma once

#include <optional>
#include <utility>

#include "base/cache_place.hpp"
#include "program/cache_entry.hpp"

namespace anycl::detail {

/// A folder of entries, one file each, that this user alone may write to. Reading needs no lock; writing replaces whole
/// files. Nothing here ever throws for what it finds on disk: a build from source is always the way out.
class DiskCache {
 public:
  /// The cache that the environment asks for: ANYCL_CACHE (on, off, readonly, verify), ANYCL_CACHE_LIMIT and ANYCL_CACHE_DIR,
  /// else $XDG_CACHE_HOME/anycl, else .cache/anycl in the user's home. Off, with one warning, when the folder cannot be
  /// trusted or made.
  [[nodiscard]] static DiskCache from_environment();

  DiskCache() = default;

  [[nodiscard]] bool readable() const noexcept { return place_.readable(); }
  [[nodiscard]] bool writable() const noexcept { return place_.writable(); }
  /// Whether what is found here shall be compared with a build from source.
  [[nodiscard]] bool verifies() const noexcept { return place_.verifies(); }

  struct Lookup {
    std::optional<CacheEntry> entry;
    bool damaged = false;  ///< a file was there and was not what we wrote
  };
  [[nodiscard]] Lookup load(const CacheKey& key) const;

  /// False when it could not be stored; the first failure is logged. Where all entries then take more than the limit, those
  /// that were not used for longest go. Other processes may read them meanwhile, and store and remove their own.
  bool store(const CacheKey& key, const CacheEntry& entry) const;

  void remove(const CacheKey& key) const noexcept;

 private:
  DiskCache(CachePlace place, Digest secret) : place_(std::move(place)), secret_(secret) {}

  CachePlace place_;
  Digest secret_{};
};

}  // namespace anycl::detail
