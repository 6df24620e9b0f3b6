#include "program/disk_cache.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_process.hpp"
#include "base/quote.hpp"
#include "base/scaled_number.hpp"

namespace anycl::detail {
namespace {

constexpr std::chrono::hours kLongestWrite(1);
constexpr std::uint64_t kDefaultLimit = std::uint64_t{1} << 30;
constexpr const char* kSecretName = "secret";
constexpr std::string_view kEntryEnding = ".bin";

DiskCache::Mode mode_from_environment() {
  const std::string text = environment("ANYCL_CACHE").value_or("on");
  if (text == "on") return DiskCache::Mode::read_write;
  if (text == "off") return DiskCache::Mode::off;
  if (text == "readonly") return DiskCache::Mode::read_only;
  log::warn("ANYCL_CACHE='{}' is not one of on, off, readonly; using on", text);
  return DiskCache::Mode::read_write;
}

std::uint64_t limit_from_environment() {
  const auto text = environment("ANYCL_CACHE_LIMIT");
  if (!text) return kDefaultLimit;
  const auto limit = parse_scaled_number(*text);
  if (!limit) log::warn("ANYCL_CACHE_LIMIT={} is not a number of bytes such as 512M; using 1G", quote(*text));
  return limit.value_or(kDefaultLimit);
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

std::string entry_name(const CacheKey& key) { return key.hex().append(kEntryEnding); }

/// What a run of evictions leaves, so that the next entry does not cause another one.
std::uint64_t after_eviction(std::uint64_t limit) { return limit - limit / 8; }

std::vector<os::PrivateFolder::File> entries_in(const os::PrivateFolder& folder) {
  auto files = folder.files();
  std::erase_if(files, [](const auto& file) { return !file.name.ends_with(kEntryEnding); });
  return files;
}

/// Oldest first. A time in the future, of before the clock was set back, is as good as none.
void sort_by_use(std::vector<os::PrivateFolder::File>& files) {
  const std::int64_t now = std::time(nullptr);
  const auto used = [&](const os::PrivateFolder::File& file) { return file.modified > now ? 0 : file.modified; };
  std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) { return used(a) < used(b); });
}

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
      if (secret) return DiskCache(mode, std::move(*folder), limit_from_environment(), *secret);
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
  if (lookup.entry && writable()) folder_->mark_used(entry_name(key));
  return lookup;
}

bool DiskCache::store(const CacheKey& key, const CacheEntry& entry) const {
  if (!writable()) return false;
  const auto bytes = encode(entry, key, secret_);
  std::string problem;
  if (const auto limit = std::min<std::uint64_t>(limit_, kLargestEntry); bytes.size() > limit)
    problem = fmt::format("its {} bytes are over the limit of {}", bytes.size(), limit);
  if (problem.empty() && folder_->replace(entry_name(key), bytes, problem)) {
    keep_within_limit(entry_name(key));
    return true;
  }
  log::warn("kernel not stored in the cache: {}", problem);
  return false;
}

void DiskCache::keep_within_limit(const std::string& newest) const {
  auto entries = entries_in(*folder_);
  std::uint64_t bytes = 0;
  for (const auto& entry : entries) bytes += entry.bytes;
  if (bytes <= limit_) return;
  sort_by_use(entries);
  for (const auto& entry : entries) {
    if (bytes <= after_eviction(limit_)) return;
    if (entry.name == newest) continue;
    folder_->remove(entry.name);
    bytes -= entry.bytes;
  }
}

void DiskCache::remove(const CacheKey& key) const noexcept {
  if (writable()) folder_->remove(entry_name(key));
}

}  // namespace anycl::detail
