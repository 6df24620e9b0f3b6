#include "program/disk_cache.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_process.hpp"

namespace anycl::detail {
namespace {

constexpr std::chrono::hours kLongestWrite(1);
constexpr const char* kSecretName = "secret";

DiskCache::Mode mode_from_environment() {
  const std::string text = environment("ANYCL_CACHE").value_or("on");
  if (text == "on") return DiskCache::Mode::read_write;
  if (text == "off") return DiskCache::Mode::off;
  if (text == "readonly") return DiskCache::Mode::read_only;
  log::warn("ANYCL_CACHE='{}' is not one of on, off, readonly; using on", text);
  return DiskCache::Mode::read_write;
}

/// Empty when there is no place that is this user's own.
std::string folder_from_environment() {
  if (const auto place = environment("ANYCL_CACHE_DIR")) return *place;
  if (const auto base = environment("XDG_CACHE_HOME"); base && base->front() == '/') return *base + "/anycl";
  const auto home = os::home_from_passwd();
  if (!home || home->empty() || *home == "/") return {};
  return *home + "/.cache/anycl";
}

std::optional<Digest> read_secret(const os::PrivateFolder& folder) {
  Digest secret{};
  const auto bytes = folder.read(kSecretName, secret.size());
  if (!bytes || bytes->size() != secret.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), secret.begin());
  return secret;
}

/// The folder's secret; the first process to need one makes it, and all others use that.
std::optional<Digest> shared_secret(const os::PrivateFolder& folder, bool may_write, std::string& problem) {
  if (auto secret = read_secret(folder)) return secret;
  if (!may_write) {
    problem = "it holds no secret yet";
    return std::nullopt;
  }
  problem.clear();
  if (!folder.create(kSecretName, random_digest(), problem) && !problem.empty()) return std::nullopt;
  auto secret = read_secret(folder);
  if (!secret) problem = "its secret is not a private file of this user; remove it";
  return secret;
}

std::string entry_name(const CacheKey& key) { return key.hex() + ".bin"; }

}  // namespace

DiskCache DiskCache::from_environment() {
  const Mode mode = mode_from_environment();
  if (mode == Mode::off || os::is_privileged()) return {};
  const std::string path = folder_from_environment();
  std::string problem = "this user has no home folder; set ANYCL_CACHE_DIR";
  if (!path.empty()) {
    using IfMissing = os::PrivateFolder::IfMissing;
    auto folder = os::PrivateFolder::open(path, problem, mode == Mode::read_write ? IfMissing::make : IfMissing::fail);
    if (folder) {
      if (mode == Mode::read_write) folder->remove_leftovers(kLongestWrite);
      const auto secret = shared_secret(*folder, mode == Mode::read_write, problem);
      if (secret) return DiskCache(mode, std::move(*folder), *secret);
      problem = fmt::format("{}: {}", path, problem);
    }
  }
  log::warn("kernel cache on disk is off: {}", problem);
  return {};
}

DiskCache::Lookup DiskCache::load(const CacheKey& key) const {
  if (!readable()) return {};
  const auto bytes = folder_->read(entry_name(key), kLargestEntry);
  if (!bytes) return {};
  Lookup lookup{decode(*bytes, key, secret_), false};
  lookup.damaged = !lookup.entry;
  return lookup;
}

bool DiskCache::store(const CacheKey& key, const CacheEntry& entry) const {
  if (!writable()) return false;
  const auto bytes = encode(entry, key, secret_);
  std::string problem;
  if (bytes.size() > kLargestEntry) problem = fmt::format("{} bytes are over the limit of an entry", bytes.size());
  if (problem.empty() && folder_->replace(entry_name(key), bytes, problem)) return true;
  log::warn("kernel not stored in the cache: {}", problem);
  return false;
}

void DiskCache::remove(const CacheKey& key) const noexcept {
  if (writable()) folder_->remove(entry_name(key));
}

}  // namespace anycl::detail
