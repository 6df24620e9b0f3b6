#include "base/os_temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace anycl::os {

namespace fs = std::filesystem;

std::optional<TemporaryFolder> TemporaryFolder::make(std::string& problem) {
  std::error_code failed;
  std::string pattern = fs::temp_directory_path(failed) / "anycl-XXXXXX";
  if (!failed && ::mkdtemp(pattern.data()) != nullptr) return TemporaryFolder(std::move(pattern));
  problem = failed ? fmt::format("no folder for temporary files: {}; set TMPDIR", failed.message())
                   : fmt::format("cannot make a folder like {}: {}; set TMPDIR", pattern, std::strerror(errno));
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
