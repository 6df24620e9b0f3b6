#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "anycl/base/error.hpp"
#include "anycl/program/stored_programs.hpp"
#include "doctor/workplace.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// In the folder of a run. No other program's folder has it.
constexpr const char* kMark = "of-anycl-doctor";

/// A private folder of this user, and no link to one.
bool is_own_folder(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == ::geteuid() &&
         (facts.st_mode & ALLPERMS) == S_IRWXU;
}

/// A run marks its folder after it has locked it, and a process that was killed holds no lock.
void remove_if_left(const fs::path& folder) {
  std::error_code ignored;
  if (!is_own_folder(folder) || !fs::is_regular_file(folder / kMark, ignored)) return;
  const os::FolderLock lock(folder.string(), milliseconds(0));
  if (lock.is_held()) fs::remove_all(folder, ignored);
}

void remove_left_ones(const fs::path& place) {
  std::error_code failed;
  fs::directory_iterator entry(place, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
    if (entry->path().filename().string().starts_with("anycl-")) remove_if_left(entry->path());
}

}  // namespace

Workplace::Workplace() {
  std::string problem;
  folder_ = os::TemporaryFolder::make(problem);
  if (!folder_) make_elsewhere(problem);
  remove_left_ones(fs::path(path()).parent_path());
  claim();
}

void Workplace::make_elsewhere(const std::string& problem) {
  std::string ignored;
  for (const char* place : {"/tmp", "/var/tmp", "/dev/shm"})
    if (!folder_) folder_ = os::TemporaryFolder::make_in(place, ignored);
  if (!folder_) folder_ = os::TemporaryFolder::make_in(kernel_cache_folder(), ignored);
  if (!folder_) throw IoError(problem);
  findings_ = {{"temporary files", Status::warn, problem, "programs and drivers may need such a folder"}};
}

void Workplace::claim() {
  lock_.emplace(path(), milliseconds(0));
  std::ofstream(fs::path(path()) / kMark).flush();
}

}  // namespace anycl::command
