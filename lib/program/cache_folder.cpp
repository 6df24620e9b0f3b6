#include "program/cache_folder.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace anycl::detail {
namespace {

constexpr std::chrono::hours kLongestWrite(1);
constexpr const char* kSecretName = "secret";
constexpr std::string_view kEntryEnding = ".bin";

}  // namespace

std::string entry_name(const Digest& digest) { return to_hex(digest).append(kEntryEnding); }

std::optional<Digest> read_secret(const os::PrivateFolder& folder) {
  Digest secret{};
  const auto bytes = folder.read(kSecretName, secret.size());
  if (!bytes || bytes->size() != secret.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), secret.begin());
  return secret;
}

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

std::optional<Files> entries_by_use(const os::PrivateFolder& folder) {
  auto listed = folder.files();
  if (!listed) return std::nullopt;
  auto& files = *listed;
  std::erase_if(files, [](const auto& file) { return !file.name.ends_with(kEntryEnding); });
  const std::int64_t now = std::time(nullptr);
  const auto used = [&](const os::PrivateFolder::File& file) { return file.modified > now ? 0 : file.modified; };
  std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) { return used(a) < used(b); });
  return listed;
}

std::uint64_t bytes_of(const Files& files) noexcept {
  std::uint64_t bytes = 0;
  for (const auto& file : files) bytes += file.bytes;
  return bytes;
}

RemovedPrograms shrink(const os::PrivateFolder& folder, std::uint64_t limit, std::string_view spared) {
  RemovedPrograms removed;
  const auto entries = entries_by_use(folder).value_or(Files());
  const std::uint64_t bytes = bytes_of(entries);
  for (const auto& entry : entries) {
    if (bytes - removed.bytes <= limit) break;
    if (entry.name != spared) remove(folder, entry.name, entry.bytes, removed);
  }
  return removed;
}

void remove(const os::PrivateFolder& folder, const std::string& name, std::uint64_t bytes, RemovedPrograms& removed) {
  folder.remove(name);
  ++removed.count;
  removed.bytes += bytes;
}

void remove_leftovers(const os::PrivateFolder& folder) { folder.remove_leftovers(kLongestWrite); }

}  // namespace anycl::detail
