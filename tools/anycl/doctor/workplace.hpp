/// \file  The folder that a run of `anycl doctor` writes to.
#pragma once

#include <optional>
#include <string>

#include "base/os_folder_lock.hpp"
#include "base/os_temporary_folder.hpp"
#include "doctor/finding.hpp"

namespace anycl::command {

/// A private folder where temporary files go, or, if that cannot be, in another place; gone with the object. Those of this
/// user's runs that were killed before are removed.
class Workplace {
 public:
  /// \throws IoError  when no place takes a folder.
  Workplace();

  [[nodiscard]] const std::string& path() const noexcept { return folder_->path(); }

  /// Of the place for temporary files, if it is no good.
  [[nodiscard]] const Findings& findings() const noexcept { return findings_; }

 private:
  void make_elsewhere(const std::string& problem);
  void claim();

  Findings findings_;
  std::optional<os::TemporaryFolder> folder_;
  std::optional<os::FolderLock> lock_;  ///< says that the run lives
};

}  // namespace anycl::command
