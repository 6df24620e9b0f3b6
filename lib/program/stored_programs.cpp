#include "anycl/program/stored_programs.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/cache_settings.hpp"
#include "base/os_process.hpp"
#include "program/cache_entry.hpp"
#include "program/cache_folder.hpp"

namespace anycl {
namespace {

using namespace detail;

/// Nothing when it is not there.
std::optional<os::PrivateFolder> open_folder(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::not_found)
    return std::nullopt;
  std::string problem;
  auto folder = os::PrivateFolder::open(path, problem, os::PrivateFolder::IfMissing::fail);
  if (!folder) throw IoError(fmt::format("kernel cache: {}", problem));
  return folder;
}

/// A folder without a secret holds nothing that could be used: no digest fits a random one.
Digest secret_of(const os::PrivateFolder& folder) {
  const auto secret = read_secret(folder);
  return secret ? *secret : random_digest();
}

bool others_may_read(const std::string& folder) {
  constexpr auto kNeeded = std::filesystem::perms::others_read | std::filesystem::perms::others_exec;
  std::error_code ignored;
  return (std::filesystem::status(folder, ignored).permissions() & kNeeded) == kNeeded;
}

struct ReadEntry {
  DecodedEntry decoded;
  BuildOrigin origin;
};

/// Nothing when the entry is damaged, or stands under another one's name.
std::optional<ReadEntry> read_entry(const os::PrivateFolder& folder, const std::string& name, const Digest& secret) {
  const auto bytes = folder.read(name, kLargestEntry);
  if (!bytes) return std::nullopt;
  auto decoded = decode(*bytes, secret);
  if (!decoded) return std::nullopt;
  auto origin = origin_of(decoded->key_fields);
  if (!origin || entry_name(origin->digest) != name) return std::nullopt;
  return ReadEntry{*std::move(decoded), *std::move(origin)};
}

std::optional<StoredProgram> describe(const os::PrivateFolder& folder, const os::PrivateFolder::File& file,
                                      const Digest& secret) {
  const auto entry = read_entry(folder, file.name, secret);
  if (!entry) return std::nullopt;
  const auto& [decoded, origin] = *entry;
  StoredProgram program{file.name,
                        origin.source,
                        {},
                        origin.device,
                        origin.platform,
                        origin.driver_version,
                        origin.library_version,
                        origin.options,
                        file.bytes,
                        file.modified};
  for (const auto& [name, facts] : decoded.entry.kernels) program.kernels.push_back(name);
  return program;
}

/// Those in force, with a folder.
CacheSettings settings_of_cache() {
  if (os::is_privileged()) throw IoError("kernel cache: it is off for a process with another user's rights");
  auto settings = CacheSettings::from_environment();
  if (settings.folder.empty()) throw IoError("kernel cache: this user has no home folder; set ANYCL_CACHE_DIR");
  return settings;
}

}  // namespace

std::string kernel_cache_folder() { return settings_of_cache().folder; }

StoredPrograms stored_programs() {
  const CacheSettings settings = settings_of_cache();
  StoredPrograms stored;
  stored.folder = settings.folder;
  stored.limit = settings.limit;
  const auto folder = open_folder(stored.folder);
  if (!folder) return stored;
  const Digest secret = secret_of(*folder);
  auto files = entries_by_use(*folder);
  if (!files) throw IoError(fmt::format("kernel cache: cannot list folder {}", stored.folder));
  std::reverse(files->begin(), files->end());
  stored.bytes = bytes_of(*files);
  for (const auto& file : *files) {
    if (auto program = describe(*folder, file, secret))
      stored.programs.push_back(*std::move(program));
    else if (is_of_another_version(folder->read(file.name, kLargestEntry).value_or(os::Bytes()), secret))
      stored.of_other_versions.push_back({file.name, file.bytes});
    else
      stored.damaged.push_back({file.name, file.bytes});
  }
  return stored;
}

RemovedPrograms prune_stored_programs(std::uint64_t limit) {
  const auto folder = open_folder(kernel_cache_folder());
  return folder ? shrink(*folder, limit) : RemovedPrograms{};
}

RemovedPrograms remove_damaged_programs() {
  RemovedPrograms removed;
  const StoredPrograms stored = stored_programs();
  const auto folder = open_folder(stored.folder);
  if (!folder) return removed;
  remove_leftovers(*folder);
  for (const UnusedFile& damaged : stored.damaged) remove(*folder, damaged.file, damaged.bytes, removed);
  return removed;
}

std::uint64_t export_stored_programs(const std::string& folder) {
  const auto failed = [&](const std::string& problem) { return IoError(fmt::format("export: {}", problem)); };
  const std::string from_path = kernel_cache_folder();
  std::error_code ignored;
  if (std::filesystem::equivalent(folder, from_path, ignored))
    throw failed(fmt::format("{} is the cache itself", folder));
  std::string problem;
  const auto to = os::PrivateFolder::open(folder, problem, os::PrivateFolder::IfMissing::make,
                                          os::PrivateFolder::Readers::everyone);
  if (!to) throw failed(problem);
  if (!others_may_read(folder)) throw failed(fmt::format("folder {} is not readable for others; chmod 755 it", folder));
  const auto new_secret = shared_secret(*to, true, problem);
  if (!new_secret) throw failed(fmt::format("{}: {}", folder, problem));
  const auto from = open_folder(from_path);
  if (!from) return 0;
  const Digest secret = secret_of(*from);
  std::uint64_t count = 0;
  for (const auto& file : entries_by_use(*from).value_or(Files())) {
    auto entry = read_entry(*from, file.name, secret);
    if (!entry) continue;
    const CacheKey key{entry->origin.digest, std::move(entry->decoded.key_fields)};
    if (!to->replace(file.name, encode(entry->decoded.entry, key, *new_secret), problem))
      throw failed(fmt::format("cannot write {}/{}: {}", folder, file.name, problem));
    ++count;
  }
  return count;
}

}  // namespace anycl
