#include "program/disk_cache.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/logging.hpp"
#include "program/cache_folder.hpp"

namespace anycl::detail {
namespace {

/// What a run of evictions leaves, so that the next entry does not cause another one.
std::uint64_t after_eviction(std::uint64_t limit) { return limit - limit / 8; }

}  // namespace

DiskCache DiskCache::from_environment() {
  DiskCache cache;
  const auto settings = CacheSettings::from_environment();
  cache.verifies_ = settings.mode == CacheSettings::Mode::verify;
  cache.system_ = SystemCache::open(settings);
  std::string problem;
  CachePlace place = CachePlace::open(settings, problem);
  if (place.folder) {
    if (place.writable()) remove_leftovers(*place.folder);
    if (const auto secret = shared_secret(*place.folder, place.writable(), problem)) {
      cache.place_ = std::move(place);
      cache.secret_ = *secret;
      return cache;
    }
    problem = fmt::format("{}: {}", place.settings.folder, problem);
  }
  if (!problem.empty()) log::warn("kernel cache on disk is off: {}", problem);
  return cache;
}

DiskCache::Lookup DiskCache::load(const CacheKey& key) const {
  Lookup lookup = load_own(key);
  if (!lookup.entry && system_) lookup.entry = system_->load(key);
  return lookup;
}

DiskCache::Lookup DiskCache::load_own(const CacheKey& key) const {
  if (!readable()) return {};
  const std::string name = entry_name(key.digest);
  const auto bytes = place_.folder->read(name, kLargestEntry);
  if (!bytes) return {};
  Lookup lookup{decode(*bytes, key, secret_), false};
  lookup.damaged = !lookup.entry;
  if (lookup.entry && writable()) place_.folder->mark_used(name);
  return lookup;
}

bool DiskCache::store(const CacheKey& key, const CacheEntry& entry) const {
  if (!writable()) return false;
  const auto bytes = encode(entry, key, secret_);
  std::string problem;
  if (const auto limit = std::min<std::uint64_t>(place_.settings.limit, kLargestEntry); bytes.size() > limit)
    problem = fmt::format("its {} bytes are over the limit of {}", bytes.size(), limit);
  const std::string name = entry_name(key.digest);
  if (problem.empty() && place_.folder->replace(name, bytes, problem)) {
    if (bytes_of(entries_by_use(*place_.folder).value_or(Files())) > place_.settings.limit)
      shrink(*place_.folder, after_eviction(place_.settings.limit), name);
    return true;
  }
  log::warn("kernel not stored in the cache: {}", problem);
  return false;
}

void DiskCache::remove(const CacheKey& key) const noexcept {
  if (writable()) place_.folder->remove(entry_name(key.digest));
}

}  // namespace anycl::detail
