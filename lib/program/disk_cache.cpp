#include "program/disk_cache.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/logging.hpp"
#include "program/cache_folder.hpp"

namespace anycl::detail {
namespace {

/// What a run of evictions leaves, so that the next entry does not cause another one.
std::uint64_t after_eviction(std::uint64_t limit) { return limit - limit / 8; }

}  // namespace

DiskCache DiskCache::from_environment() {
  using Mode = CacheSettings::Mode;
  const auto settings = CacheSettings::from_environment();
  if (settings.mode == Mode::off) return {};
  const bool may_write = settings.mode == Mode::read_write;
  std::string problem = "this user has no home folder; set ANYCL_CACHE_DIR";
  if (!settings.folder.empty()) {
    using IfMissing = os::PrivateFolder::IfMissing;
    auto folder = os::PrivateFolder::open(settings.folder, problem, may_write ? IfMissing::make : IfMissing::fail);
    if (folder) {
      if (may_write) remove_leftovers(*folder);
      const auto secret = shared_secret(*folder, may_write, problem);
      if (secret) return DiskCache(settings, std::move(*folder), *secret);
      problem = fmt::format("{}: {}", settings.folder, problem);
    }
  }
  log::warn("kernel cache on disk is off: {}", problem);
  return {};
}

DiskCache::Lookup DiskCache::load(const CacheKey& key) const {
  if (!readable()) return {};
  const auto bytes = folder_->read(entry_name(key.digest), kLargestEntry);
  if (!bytes) return {};
  Lookup lookup{decode(*bytes, key, secret_), false};
  lookup.damaged = !lookup.entry;
  if (lookup.entry && writable()) folder_->mark_used(entry_name(key.digest));
  return lookup;
}

bool DiskCache::store(const CacheKey& key, const CacheEntry& entry) const {
  if (!writable()) return false;
  const auto bytes = encode(entry, key, secret_);
  std::string problem;
  if (const auto limit = std::min<std::uint64_t>(limit_, kLargestEntry); bytes.size() > limit)
    problem = fmt::format("its {} bytes are over the limit of {}", bytes.size(), limit);
  if (problem.empty() && folder_->replace(entry_name(key.digest), bytes, problem)) {
    if (bytes_of(entries_by_use(*folder_).value_or(Files())) > limit_)
      shrink(*folder_, after_eviction(limit_), entry_name(key.digest));
    return true;
  }
  log::warn("kernel not stored in the cache: {}", problem);
  return false;
}

void DiskCache::remove(const CacheKey& key) const noexcept {
  if (writable()) folder_->remove(entry_name(key.digest));
}

}  // namespace anycl::detail
