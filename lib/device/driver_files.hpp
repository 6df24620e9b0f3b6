/// \file  The files by which an ICD loader finds drivers. Layer 1 (device).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace anycl::detail {

/// One driver as the loader is told of it.
struct DriverFile {
  std::string icd;      ///< the file that names it; empty for one that OCL_ICD_FILENAMES names
  std::string library;  ///< a path, or a name for the system to find; empty where the file is empty or cannot be read

  /// What people call it: the file's name without ".icd", else the library.
  [[nodiscard]] std::string name() const;

  /// By name, or by the library's own, whatever the case; `*` and `?` as in file names.
  [[nodiscard]] bool matches(const std::string& pattern) const;

  /// For messages: both files.
  [[nodiscard]] std::string description() const;
};

/// The place that both loaders read: OCL_ICD_VENDORS, else OPENCL_VENDOR_PATH (ocl-icd alone), else the system's.
struct VendorPlace {
  std::string path;
  bool readable = true;  ///< false for what we make no sense of, such as a library in the folder's place
  std::vector<DriverFile> files;

  [[nodiscard]] static VendorPlace from_environment();
};

}  // namespace anycl::detail
