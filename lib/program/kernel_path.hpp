/// \file  ANYCL_KERNEL_PATH: files that take the place of embedded ones. Layer 3 (program).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/os_confined_folder.hpp"

namespace anycl::detail {

/// Folders in which kernels that are compiled into a program can be edited without building it again.
class KernelPath {
 public:
  /// Nothing in its place.
  KernelPath() = default;

  /// The folders of ANYCL_KERNEL_PATH, none in a process with another user's rights. What cannot be opened is left out,
  /// with a warning.
  [[nodiscard]] static KernelPath from_environment();

  [[nodiscard]] bool empty() const noexcept { return folders_.empty(); }

  /// The text that the first folder with such a file has there. A file that is no good gets a warning and is passed by.
  [[nodiscard]] std::optional<std::string> find(const std::string& path) const;

 private:
  std::vector<std::pair<std::string, os::ConfinedFolder>> folders_;  // by name
};

}  // namespace anycl::detail
