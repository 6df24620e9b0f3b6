#include "program/system_cache.hpp"

#include <filesystem>

#include "base/logging.hpp"
#include "program/cache_folder.hpp"

namespace anycl::detail {

std::optional<SystemCache> SystemCache::open(const CacheSettings& settings) {
  const std::string& path = settings.system_folder;
  std::error_code unreadable;
  if (settings.mode == CacheSettings::Mode::off) return std::nullopt;
  if (path.starts_with('/') && !std::filesystem::exists(path, unreadable)) return std::nullopt;
  std::string problem;
  auto folder = os::PrivateFolder::open_of_root(path, problem);
  if (!folder) {
    log::warn("kernel cache of the system is not used: {}", problem);
    return std::nullopt;
  }
  const auto secret = read_secret(*folder);
  if (!secret) return std::nullopt;  // nothing was exported there
  return SystemCache(*std::move(folder), *secret, path);
}

std::optional<CacheEntry> SystemCache::load(const CacheKey& key) const {
  const std::string name = entry_name(key.digest);
  const auto bytes = folder_.read(name, kLargestEntry);
  if (!bytes) return std::nullopt;
  auto entry = decode(*bytes, key, secret_);
  if (!entry) log::warn("kernel cache of the system: {}/{} is damaged and not used", path_, name);
  return entry;
}

}  // namespace anycl::detail
