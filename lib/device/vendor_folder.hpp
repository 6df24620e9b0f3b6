/// \file  A vendor folder of our own: what an ICD loader is to see of a machine's drivers. Layer 1 (device).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/os_temporary_folder.hpp"
#include "device/driver_files.hpp"

namespace anycl::detail {

/// A private folder (mode 0700) with links to some of the machine's .icd files; gone when the object goes.
class PrivateVendorFolder {
 public:
  /// For an ICD loader that is to see `drivers`, whatever names them, and no others. The folder is made where temporary files go,
  /// or else in `fallback`, unless that is empty. Nothing, with the reason in `problem`, when it cannot be made.
  [[nodiscard]] static std::optional<PrivateVendorFolder> make(const std::vector<DriverFile>& drivers,
                                                               std::string& problem, const std::string& fallback = {});

  /// The same in the folder `parent`.
  [[nodiscard]] static std::optional<PrivateVendorFolder> make_in(const std::string& parent,
                                                                  const std::vector<DriverFile>& drivers,
                                                                  std::string& problem);

  /// One file, which names `library`. Made as by `make`.
  [[nodiscard]] static std::optional<PrivateVendorFolder> naming(const std::string& library, std::string& problem,
                                                                 const std::string& fallback = {});

  /// With a slash at its end: older Khronos loaders glue folder and file name together.
  [[nodiscard]] std::string path() const { return folder_.path() + "/"; }

  /// Changes to the environment ("NAME=value", or "NAME" to unset it) that make either loader see those drivers alone.
  [[nodiscard]] std::vector<std::string> variables() const;

 private:
  explicit PrivateVendorFolder(os::TemporaryFolder folder) noexcept : folder_(std::move(folder)) {}

  /// Nothing where there is no `folder`.
  [[nodiscard]] static std::optional<PrivateVendorFolder> filled(std::optional<os::TemporaryFolder> folder,
                                                                 const std::vector<DriverFile>& drivers,
                                                                 std::string& problem);

  /// \param failed  says why no link can be made
  void add(const DriverFile& driver, std::error_code& failed);

  os::TemporaryFolder folder_;
  std::size_t links_ = 0;
  std::string in_its_place_;  ///< the library that OCL_ICD_VENDORS names
  std::string filenames_;     ///< OCL_ICD_FILENAMES
};

}  // namespace anycl::detail
