#include "base/cache_place.hpp"

#include <utility>

namespace anycl {

CachePlace CachePlace::open(CacheSettings settings, std::string& problem) {
  CachePlace place{std::move(settings), std::nullopt};
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
