#include "base/os_confined_folder.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/os_descriptor.hpp"
#include "base/plain_line.hpp"

namespace anycl::os {
namespace {

using Outcome = ConfinedFile::Outcome;

// O_NONBLOCK: opening a FIFO must not wait for its writer.
constexpr int kReading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
#if defined(O_PATH)
constexpr int kPassing = O_PATH | O_DIRECTORY | O_CLOEXEC;  // a folder may be passed through by who cannot list it
#else
constexpr int kPassing = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif

/// A file, or why there is none: an errno; EXDEV for a way that leaves the folder, as the system has it.
struct Opened {
  Descriptor file;
  int error = 0;
};

/// \param open  gives a descriptor, or sets errno
template <class Open>
Opened result_of(const Open& open) {
  int descriptor = open();
  while (descriptor < 0 && errno == EINTR) descriptor = open();
  return {Descriptor(descriptor), descriptor < 0 ? errno : 0};
}

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (const auto part = path.substr(0, end); !part.empty() && part != ".") parts.emplace_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

/// True when the path leaves its folder whatever stands there.
bool climbs_out(std::string_view path) {
  if (path.starts_with('/')) return true;
  int depth = 0;
  for (const std::string& part : components(path)) {
    depth += part == ".." ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

/// Goes a path step by step. No step follows a link by itself: where links lead is part of the path that is left.
class Walk {
 public:
  Walk(int root, std::string_view path) : root_(root), path_(path), left_(components(path)) {}

  [[nodiscard]] Opened to_end() {
    if (path_.starts_with('/')) return {Descriptor(), EXDEV};
    if (left_.empty()) return {Descriptor(), path_.empty() ? ENOENT : EISDIR};
    while (true) {
      const std::string part = std::move(left_.front());
      left_.erase(left_.begin());
      if (part == "..") {
        if (passed_.empty()) return {Descriptor(), EXDEV};
        passed_.pop_back();
        if (left_.empty()) return {Descriptor(), EISDIR};
        continue;
      }
      if (const int error = follow_link(part); error != 0) return {Descriptor(), error};
      if (followed_) continue;
      if (left_.empty()) return step(part, kReading);
      Opened next = step(part, kPassing);
      if (next.error != 0) return next;
      passed_.push_back(std::move(next.file));
    }
  }

 private:
  [[nodiscard]] int here() const { return passed_.empty() ? root_ : passed_.back().get(); }

  [[nodiscard]] Opened step(const std::string& name, int how) const {
    return result_of([&] { return ::openat(here(), name.c_str(), how | O_NOFOLLOW); });
  }

  /// Puts in front of what is left where the link `name` leads. An errno, or 0 and in `followed_` whether it is a link.
  [[nodiscard]] int follow_link(const std::string& name) {
    constexpr int kMostLinks = 40;  // as Linux has it
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(here(), name.c_str(), target.data(), target.size());
    followed_ = size >= 0;
    if (!followed_) return errno == EINVAL ? 0 : errno;  // EINVAL: not a link
    if (++links_ > kMostLinks) return ELOOP;
    const std::string_view way(target.data(), static_cast<std::size_t>(size));
    if (way.starts_with('/')) return EXDEV;
    auto parts = components(way);
    parts.insert(parts.end(), std::make_move_iterator(left_.begin()), std::make_move_iterator(left_.end()));
    left_ = std::move(parts);
    return left_.empty() ? EISDIR : 0;
  }

  int root_;
  std::string_view path_;
  std::vector<std::string> left_;
  std::vector<Descriptor> passed_;
  int links_ = 0;
  bool followed_ = false;
};

/// The system's own way, where it has one: else ENOSYS.
Opened open_beneath(int root, const std::string& path) {
#if defined(SYS_openat2)
  struct open_how how {};
  how.flags = kReading;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  constexpr int kTries = 16;  // EAGAIN: something was renamed while a ".." was gone
  for (int i = 0; i < kTries; ++i) {
    Opened opened =
        result_of([&] { return static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)); });
    if (opened.error != EAGAIN) return opened;
  }
#else
  static_cast<void>(root);
  static_cast<void>(path);
#endif
  return {Descriptor(), ENOSYS};
}

Opened open_below(int root, const std::string& path, ConfinedFolder::Way way) {
  if (way == ConfinedFolder::Way::best) {
    Opened opened = open_beneath(root, path);
    // EPERM: what filters the process's calls does not know this one.
    if (opened.error != ENOSYS && opened.error != EPERM) return opened;
  }
  return Walk(root, path).to_end();
}

ConfinedFile without_text(Outcome outcome, std::string problem = {}) { return {outcome, {}, {}, std::move(problem)}; }

ConfinedFile not_opened(int error, std::string_view path) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return without_text(Outcome::missing);
    case EXDEV:
      return climbs_out(path) ? without_text(Outcome::outside)
                              : without_text(Outcome::refused, "is reached by a symbolic link that leaves the folder");
    case ELOOP:
      return without_text(Outcome::refused, "is reached by too many symbolic links");
    case EISDIR:
      return without_text(Outcome::refused, "is a folder");
    case ENXIO:
      return without_text(Outcome::refused, "is not a plain file");
    default:
      return without_text(Outcome::refused, fmt::format("cannot be opened: {}", std::strerror(error)));
  }
}

/// Reads to the end: what some files say of their size is not true. An errno, EFBIG past the limit, or 0.
int read_to_end(int file, std::size_t size_limit, std::string& text) {
  std::array<char, 65536> part;
  while (true) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    if (text.size() + static_cast<std::size_t>(got) > size_limit) return EFBIG;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

std::string too_large(std::size_t size_limit) { return fmt::format("has over {} bytes", size_limit); }

}  // namespace

std::optional<ConfinedFolder> ConfinedFolder::open(const std::string& path, std::string& problem) {
  Opened folder{Descriptor(), ENOENT};
  if (path.find('\0') == std::string::npos) folder = result_of([&] { return ::open(path.c_str(), kPassing); });
  if (folder.error == 0) return ConfinedFolder(folder.file.release());
  problem = fmt::format("cannot open folder '{}': {}", plain_line(path), std::strerror(folder.error));
  return std::nullopt;
}

ConfinedFolder::ConfinedFolder(ConfinedFolder&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

ConfinedFolder& ConfinedFolder::operator=(ConfinedFolder&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

ConfinedFolder::~ConfinedFolder() { static_cast<void>(Descriptor(descriptor_)); }

ConfinedFile ConfinedFolder::read(const std::string& path, std::size_t size_limit, Way way) const {
  if (path.find('\0') != std::string::npos) return without_text(Outcome::missing);
  const Opened opened = open_below(descriptor_, path, way);
  if (opened.error != 0) return not_opened(opened.error, path);
  struct stat facts {};
  if (::fstat(opened.file.get(), &facts) != 0) return not_opened(errno, path);
  if (S_ISDIR(facts.st_mode)) return not_opened(EISDIR, path);
  if (!S_ISREG(facts.st_mode)) return without_text(Outcome::refused, "is not a plain file");
  if (static_cast<std::uint64_t>(facts.st_size) > size_limit)
    return without_text(Outcome::refused, too_large(size_limit));
  ConfinedFile file{Outcome::read, {}, fmt::format("{}:{}", facts.st_dev, facts.st_ino), {}};
  file.text.reserve(static_cast<std::size_t>(facts.st_size));
  const int error = read_to_end(opened.file.get(), size_limit, file.text);
  if (error == EFBIG) return without_text(Outcome::refused, too_large(size_limit));
  if (error != 0) return without_text(Outcome::refused, fmt::format("cannot be read: {}", std::strerror(error)));
  return file;
}

}  // namespace anycl::os
