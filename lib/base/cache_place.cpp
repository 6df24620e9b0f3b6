#include "base/cache_place.hpp"

namespace anycl {

CachePlace CachePlace::from_environment(std::string& problem) {
  CachePlace place{CacheSettings::from_environment(), std::nullopt};
  if (!place.readable()) return {};
  problem = "this user has no home folder; set ANYCL_CACHE_DIR";
  if (place.settings.folder.empty()) return {};
  using IfMissing = os::PrivateFolder::IfMissing;
  place.folder =
      os::PrivateFolder::open(place.settings.folder, problem, place.writable() ? IfMissing::make : IfMissing::fail);
  if (!place.folder) return {};
  problem.clear();
  return place;
}

}  // namespace anycl
