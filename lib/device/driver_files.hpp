/// \file  The files by which an ICD loader finds drivers. Layer 1 (device).
#pragma once

#include <string>
#include <vector>

namespace anycl::detail {

/// One driver as the loader is told of it.
struct DriverFile {
  std::string icd{};       ///< the file that names it; empty where a variable does
  std::string library{};   ///< a path, or a name for the system to find; empty where none is known
  std::string variable{};  ///< that names the library in a file's place: OCL_ICD_VENDORS or OCL_ICD_FILENAMES
  std::string problem{};   ///< why no library is known, to follow the file's name: "is empty"
  bool traps_loader =
      false;  ///< of such a file: the loader would not pass it over, but wait for it, or take the program for a driver

  /// What people call it: the file's name without ".icd", else the library.
  [[nodiscard]] std::string name() const;

  /// By name, or by either file with or without its folder, whatever the case; `*` and `?` as in file names.
  [[nodiscard]] bool matches(const std::string& pattern) const;

  /// For messages: both files. On one line, whatever is in their names.
  [[nodiscard]] std::string description() const;
};

/// The place that both loaders read: OCL_ICD_VENDORS, else OPENCL_VENDOR_PATH (ocl-icd alone), else the system's.
struct VendorPlace {
  std::string path{};
  std::string problem{};  ///< why the folder cannot be read; else empty
  std::vector<DriverFile> files{};

  /// Reads every driver file, and waits for none.
  [[nodiscard]] static VendorPlace from_environment();
};

}  // namespace anycl::detail
