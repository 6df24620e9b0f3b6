#include "base/os_temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace anycl::os {

namespace fs = std::filesystem;

std::optional<TemporaryFolder> TemporaryFolder::make(std::string& problem, const std::string& fallback) {
  std::error_code failed;
  const std::string usual = fs::temp_directory_path(failed).string();
  std::string first_problem;
  std::string ignored;
  if (failed)
    first_problem = fmt::format("no folder for temporary files: {}; set TMPDIR", failed.message());
  else if (auto folder = make_in(usual, first_problem))
    return folder;
  if (!fallback.empty())
    if (auto folder = make_in(fallback, ignored)) return folder;
  problem = std::move(first_problem);
  return std::nullopt;
}

std::optional<TemporaryFolder> TemporaryFolder::make_in(const std::string& parent, std::string& problem) {
  std::string pattern = fs::path(parent) / "anycl-XXXXXX";
  if (::mkdtemp(pattern.data()) != nullptr) return TemporaryFolder(std::move(pattern));
  problem = fmt::format("cannot make a folder like {}: {}; set TMPDIR", pattern, std::strerror(errno));
  return std::nullopt;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace anycl::os
