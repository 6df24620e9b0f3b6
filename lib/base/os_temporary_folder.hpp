/// \file  A private folder for a while. Layer 0 (base).
#pragma once

#include <optional>
#include <string>

namespace anycl::os {

/// A new, empty folder (mode 0700, random name); removed with all that is in it.
class TemporaryFolder {
 public:
  /// Where the system keeps such things (TMPDIR), or, if that cannot be, in the folder `fallback`, unless that is empty.
  /// Nothing, with the reason in `problem`, where it cannot be made.
  [[nodiscard]] static std::optional<TemporaryFolder> make(std::string& problem, const std::string& fallback = {});

  /// In the folder `parent`.
  [[nodiscard]] static std::optional<TemporaryFolder> make_in(const std::string& parent, std::string& problem);

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  explicit TemporaryFolder(std::string path) noexcept : path_(std::move(path)) {}

  std::string path_;  ///< empty: moved from
};

}  // namespace anycl::os
