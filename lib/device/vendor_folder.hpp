/// \file  A vendor folder of our own: what an ICD loader is to see of a machine's drivers. Layer 1 (device).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/os_temporary_folder.hpp"

namespace anycl::detail {

/// A private folder (mode 0700) with copies of some of the machine's .icd files; gone when the object goes.
class PrivateVendorFolder {
 public:
  /// Copies `icd_files`, paths that end in .icd. Nothing, with the reason in `problem`, when that fails.
  [[nodiscard]] static std::optional<PrivateVendorFolder> make(const std::vector<std::string>& icd_files,
                                                               std::string& problem);

  /// One file, which names `library`.
  [[nodiscard]] static std::optional<PrivateVendorFolder> naming(const std::string& library, std::string& problem);

  /// With a slash at its end: older Khronos loaders glue folder and file name together.
  [[nodiscard]] std::string path() const { return folder_.path() + "/"; }

  /// Changes to the environment ("NAME=value", or "NAME" to unset it) that make either loader see this folder alone.
  [[nodiscard]] std::vector<std::string> variables() const;

 private:
  explicit PrivateVendorFolder(os::TemporaryFolder folder) noexcept : folder_(std::move(folder)) {}

  os::TemporaryFolder folder_;
};

}  // namespace anycl::detail
