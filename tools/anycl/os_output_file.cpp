#include "os_output_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "anycl/base/error.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw IoError(fmt::format("cannot write {}: {}", path, why));
}

/// The temporary file's name where a signal handler may read it: fixed memory, complete before `armed` is set.
class Cleanup {
 public:
  static constexpr std::size_t kLongestName = PATH_MAX - 1;

  /// `path` is at most kLongestName long.
  static void arm(const std::string& path) noexcept {
    std::copy_n(path.c_str(), path.size() + 1, name);
    armed.store(true, std::memory_order_release);
  }
  static void disarm() noexcept { armed.store(false, std::memory_order_release); }

  /// A signal that the caller of this program chose to ignore (nohup) stays ignored.
  static void watch_signals() {
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU}) {
      struct sigaction old {};
      ::sigaction(number, nullptr, &old);
      if (old.sa_handler == SIG_IGN) continue;
      struct sigaction ours {};
      ours.sa_handler = &remove_and_die;
      ::sigaction(number, &ours, nullptr);
    }
    // A file size limit then fails the write, which is reported, instead of killing the program. Blocked rather than
    // ignored: compilers inside drivers put their own handler in place later, and their threads inherit the mask.
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  }

 private:
  static void remove_and_die(int number) {
    if (armed.load(std::memory_order_acquire)) ::unlink(name);
    std::signal(number, SIG_DFL);
    ::raise(number);
  }

  static inline char name[kLongestName + 1];
  static inline std::atomic<bool> armed{false};
};

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler reads it");

/// Permissions of the file at `path`, nothing when there is none.
/// Refuses what a file of ours could not replace.
std::optional<mode_t> mode_of_existing(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT) return std::nullopt;
    refuse(path, std::strerror(errno));
  }
  if (S_ISDIR(facts.st_mode)) refuse(path, "it is a folder; name a file in it");
  if (!S_ISREG(facts.st_mode)) refuse(path, "it exists and is not a regular file");
  if (::access(path.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
  return facts.st_mode & 07777;
}

std::string end_of_links(const std::string& path) {
  std::error_code failed;
  const fs::path end = fs::weakly_canonical(path, failed);
  return failed ? path : end.string();
}

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string random_name() {
  std::random_device random;
  return fmt::format(".anycl-{:08x}{:08x}", random(), random());
}

/// Leads to an open file, whether it has a name or not.
std::string link_to(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A file that has no name yet, and so goes with this process however that ends; -1 where the file system has no such
/// files, or where there is no way to give it a name later.
int open_unnamed([[maybe_unused]] const fs::path& folder) {
#if defined(O_TMPFILE)
  const int descriptor = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0 || ::access(link_to(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
#endif
  return -1;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(end_of_links(path)) {
  const auto mode = mode_of_existing(path);
  const fs::path folder = folder_of(target_);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) refuse(path, fmt::format("there is no folder {}", folder.string()));

  temporary_ = (folder / random_name()).string();
  if (temporary_.size() > Cleanup::kLongestName) refuse(path, std::strerror(ENAMETOOLONG));

  Cleanup::watch_signals();
  int descriptor = open_unnamed(folder);
  if (descriptor < 0) descriptor = open_named();
  if (mode) static_cast<void>(::fchmod(descriptor, *mode));  // a new file with other permissions is still the result
  stream_.reset(::fdopen(descriptor, "wb"));
}

OutputFile::~OutputFile() {
  stream_.reset();
  if (!named_) return;
  ::unlink(temporary_.c_str());
  Cleanup::disarm();
}

void OutputFile::commit() {
  if (std::ferror(stream_.get()) != 0) fail(EIO);
  if (std::fflush(stream_.get()) != 0) fail(errno);
  if (!named_) give_name();
  if (std::fclose(stream_.release()) != 0) fail(errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  named_ = false;
  Cleanup::disarm();
}

/// Before the file has the name: no moment is left in which a signal would leave it behind.
void OutputFile::announce_name() noexcept {
  Cleanup::arm(temporary_);
  named_ = true;
}

int OutputFile::open_named() {
  announce_name();
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor >= 0) return descriptor;
  const int reason = errno;
  Cleanup::disarm();
  fail(reason);
}

void OutputFile::give_name() {
  announce_name();
  const std::string link = link_to(::fileno(stream_.get()));
  if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) fail(errno);
}

void OutputFile::fail(int reason) const { refuse(path_, std::strerror(reason)); }

}  // namespace anycl::command
