#include "base/os_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/digest.hpp"
#include "base/os_descriptor.hpp"

namespace anycl::os {
namespace {

std::string reason() { return std::strerror(errno); }

bool is_alone_of(uid_t owner, const struct stat& facts) {
  return facts.st_uid == owner && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_symbolic_link(const std::string& path) {
  struct stat facts {};
  const int error = errno;
  const bool is_link = ::lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
  errno = error;
  return is_link;
}

/// Makes each missing folder of an absolute path. Existing ones are left as they are.
void make_folders(const std::string& path, mode_t mode) {
  const auto make = [mode](const std::string& folder) {
    if (::mkdir(folder.c_str(), mode) == 0) ::chmod(folder.c_str(), mode);  // whatever this process's mask says
  };
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    make(path.substr(0, slash));
  make(path);
}

/// Writing past this process's limit (ulimit -f) would end it by a signal.
bool write_all(int descriptor, std::span<const std::byte> content) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && content.size() > limit.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content = content.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// Makes the file `name` of a folder, which must not be there yet, out of one that has no name until it is whole: what the
/// process leaves if it is killed before that goes with it. False where that does not work: some file systems and old
/// systems have no such files, and giving them a name takes /proc.
bool write_then_name(int folder, const std::string& name, mode_t mode, std::span<const std::byte> content) {
#if defined(O_TMPFILE)
  const Descriptor file(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
  if (!file.valid() || ::fchmod(file.get(), mode) != 0 || !write_all(file.get(), content)) return false;
  const std::string link = fmt::format("/proc/self/fd/{}", file.get());
  return ::linkat(AT_FDCWD, link.c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
#else
  return false;
#endif
}

/// The same on any system; a process killed in the middle leaves a part under the name.
bool name_then_write(int folder, const std::string& name, mode_t mode, std::span<const std::byte> content) {
  const Descriptor file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file.valid() && ::fchmod(file.get(), mode) == 0 && write_all(file.get(), content)) return true;
  const int reason = errno;
  if (file.valid()) ::unlinkat(folder, name.c_str(), 0);
  errno = reason;
  return false;
}

/// As renaming, but fails with EEXIST where `to` exists. One step where the system can do it: with a link and an unlink a
/// reader may meet a file of two names, and must not trust it.
bool rename_to_new(int folder, const std::string& from, const std::string& to) {
#if defined(RENAME_NOREPLACE)
  if (::renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
#endif
  return ::linkat(folder, from.c_str(), folder, to.c_str(), 0) == 0 && ::unlinkat(folder, from.c_str(), 0) == 0;
}

bool read_all(int descriptor, Bytes& content) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t got = ::read(descriptor, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

constexpr std::string_view kTemporary = ".tmp-";

constexpr std::chrono::hours kUseIsExactTo(1);

struct CloseListing {
  void operator()(DIR* listing) const noexcept { ::closedir(listing); }
};
using Listing = std::unique_ptr<DIR, CloseListing>;

Listing list(int folder) noexcept {
  Descriptor again(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));  // a listing keeps its descriptor
  Listing listing(again.valid() ? ::fdopendir(again.get()) : nullptr);
  if (listing != nullptr) static_cast<void>(again.release());
  return listing;
}

}  // namespace

std::string file_identity(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return fmt::format("{} {} {}.{:09}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

std::optional<PrivateFolder> PrivateFolder::open(const std::string& path, std::string& problem, IfMissing if_missing,
                                                 Readers readers) {
  const bool shared = readers == Readers::everyone;
  if (if_missing == IfMissing::make && path.starts_with('/')) make_folders(path, shared ? 0755 : 0700);
  return open_existing(path, {::geteuid(), shared ? 0644u : 0600u}, problem);
}

std::optional<PrivateFolder> PrivateFolder::open_of_root(const std::string& path, std::string& problem) {
  return open_existing(path, {0, 0644}, problem);
}

std::optional<PrivateFolder> PrivateFolder::open_existing(const std::string& path, Rights rights,
                                                          std::string& problem) {
  if (path.empty() || path.front() != '/') {
    problem = fmt::format("'{}' is not an absolute path", path);
    return std::nullopt;
  }
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) {
    const bool is_link = errno == ENOTDIR && is_symbolic_link(path);
    problem = fmt::format("cannot open folder {}: {}", path, is_link ? "it is a symbolic link" : reason());
    return std::nullopt;
  }
  struct stat facts {};
  if (::fstat(folder.get(), &facts) != 0 || !is_alone_of(rights.owner, facts)) {
    problem = fmt::format("folder {} belongs to another user or is writable by others", path);
    return std::nullopt;
  }
  return PrivateFolder(folder.release(), rights);
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), rights_(other.rights_) {}

PrivateFolder& PrivateFolder::operator=(PrivateFolder&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(rights_, other.rights_);
  return *this;
}

PrivateFolder::~PrivateFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<Bytes> PrivateFolder::read(const std::string& name, std::size_t size_limit) const {
  // O_NONBLOCK: a FIFO planted in the file's place must not stop us.
  const Descriptor file(::openat(descriptor_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file.valid() || ::fstat(file.get(), &facts) != 0) return std::nullopt;
  // No link at all: the file was replaced since we opened it, and what we hold is still whole.
  const bool trusted = S_ISREG(facts.st_mode) && is_alone_of(rights_.owner, facts) && facts.st_nlink <= 1;
  if (!trusted || facts.st_size < 0 || static_cast<std::uint64_t>(facts.st_size) > size_limit) return std::nullopt;
  Bytes content(static_cast<std::size_t>(facts.st_size));
  if (!read_all(file.get(), content)) return std::nullopt;
  return content;
}

std::optional<std::string> PrivateFolder::write_temporary(std::span<const std::byte> content,
                                                          std::string& problem) const {
  const std::string name = fmt::format("{}{}", kTemporary, random_hex(16));
  const mode_t mode = rights_.file_mode;
  if (write_then_name(descriptor_, name, mode, content) || name_then_write(descriptor_, name, mode, content))
    return name;
  problem = reason();
  return std::nullopt;
}

bool PrivateFolder::replace(const std::string& name, std::span<const std::byte> content, std::string& problem) const {
  const auto temporary = write_temporary(content, problem);
  if (!temporary) return false;
  if (::renameat(descriptor_, temporary->c_str(), descriptor_, name.c_str()) == 0) return true;
  problem = reason();
  ::unlinkat(descriptor_, temporary->c_str(), 0);
  return false;
}

bool PrivateFolder::create(const std::string& name, std::span<const std::byte> content, std::string& problem) const {
  const auto temporary = write_temporary(content, problem);
  if (!temporary) return false;
  if (rename_to_new(descriptor_, *temporary, name)) return true;
  if (errno != EEXIST) problem = reason();
  ::unlinkat(descriptor_, temporary->c_str(), 0);
  return false;
}

void PrivateFolder::remove(const std::string& name) const noexcept { ::unlinkat(descriptor_, name.c_str(), 0); }

std::optional<std::vector<PrivateFolder::File>> PrivateFolder::files() const {
  const Listing listing = list(descriptor_);
  if (listing == nullptr) return std::nullopt;
  std::vector<File> found;
  while (const dirent* entry = ::readdir(listing.get())) {
    struct stat facts {};
    if (::fstatat(descriptor_, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;  // removed meanwhile
    if (S_ISREG(facts.st_mode) && is_alone_of(rights_.owner, facts))
      found.push_back({entry->d_name, static_cast<std::uint64_t>(facts.st_size), facts.st_mtime});
  }
  return found;
}

void PrivateFolder::mark_used(const std::string& name) const noexcept {
  struct stat facts {};
  if (::fstatat(descriptor_, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
  const std::chrono::seconds since(std::time(nullptr) - facts.st_mtime);
  if (since < kUseIsExactTo && since > -kUseIsExactTo) return;  // a time in the future: somebody set the clock back
  ::utimensat(descriptor_, name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

void PrivateFolder::remove_leftovers(std::chrono::seconds age) const {
  const std::int64_t oldest = std::time(nullptr) - age.count();
  for (const File& file : files().value_or(std::vector<File>()))
    if (file.name.starts_with(kTemporary) && file.modified < oldest) remove(file.name);
}

}  // namespace anycl::os
