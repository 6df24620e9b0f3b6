#include "base/cache_place.hpp"

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_process.hpp"
#include "base/quote.hpp"

namespace anycl {
namespace {

CacheMode mode_from_environment() {
  const std::string text = environment("ANYCL_CACHE").value_or("on");
  if (text == "on") return CacheMode::read_write;
  if (text == "off") return CacheMode::off;
  if (text == "readonly") return CacheMode::read_only;
  log::warn("ANYCL_CACHE={} is not one of on, off, readonly; using on", quote(text));
  return CacheMode::read_write;
}

/// Empty when there is no place that is this user's own.
std::string path_from_environment() {
  if (const auto place = environment("ANYCL_CACHE_DIR")) return *place;
  if (const auto base = environment("XDG_CACHE_HOME"); base && base->front() == '/') return *base + "/anycl";
  const auto home = os::home_from_passwd();
  if (!home || home->empty() || *home == "/") return {};
  return *home + "/.cache/anycl";
}

}  // namespace

CachePlace CachePlace::from_environment(std::string& problem) {
  CachePlace place{mode_from_environment()};
  if (place.mode == CacheMode::off || os::is_privileged()) return {};
  place.path = path_from_environment();
  problem = "this user has no home folder; set ANYCL_CACHE_DIR";
  if (place.path.empty()) return {};
  using IfMissing = os::PrivateFolder::IfMissing;
  const bool writable = place.mode == CacheMode::read_write;
  place.folder = os::PrivateFolder::open(place.path, problem, writable ? IfMissing::make : IfMissing::fail);
  if (!place.folder) return {};
  problem.clear();
  return place;
}

}  // namespace anycl
