#include "device/driver_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "device/selection_terms.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;

bool is_icd(const fs::path& file) { return file.extension() == ".icd"; }

DriverFile read_icd(const fs::path& file) {
  std::string library;
  std::ifstream stream(file);
  std::getline(stream, library);
  return {file, library};
}

std::vector<DriverFile> read_folder(const fs::path& folder) {
  std::vector<DriverFile> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (is_icd(entry.path())) files.push_back(read_icd(entry.path()));
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.icd < b.icd; });
  return files;
}

/// Drivers that the Khronos loader takes besides; ocl-icd does not look there.
std::vector<DriverFile> named_libraries() {
  std::vector<DriverFile> files;
  const std::string names = environment("OCL_ICD_FILENAMES").value_or("");
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(':', begin), names.size());
    if (end > begin) files.push_back({{}, names.substr(begin, end - begin)});
    begin = end + 1;
  }
  return files;
}

/// A file's bare name is looked up in the folder that would be read without it.
fs::path place_from_environment() {
  const fs::path usual = environment("OPENCL_VENDOR_PATH").value_or("/etc/OpenCL/vendors");
  const fs::path place = environment("OCL_ICD_VENDORS").value_or(usual);
  return is_icd(place) && !place.has_parent_path() ? usual / place : place;
}

}  // namespace

std::string DriverFile::name() const { return icd.empty() ? library : fs::path(icd).stem().string(); }

bool DriverFile::matches(const std::string& pattern) const {
  return glob_matches(pattern, name()) || glob_matches(pattern, fs::path(library).filename().string());
}

std::string DriverFile::description() const {
  if (icd.empty()) return fmt::format("{} (OCL_ICD_FILENAMES)", library);
  return library.empty() ? icd : fmt::format("{} ({})", icd, library);
}

VendorPlace VendorPlace::from_environment() {
  const fs::path path = place_from_environment();
  VendorPlace place{path, true, {}};
  std::error_code ignored;
  if (is_icd(path))
    place.files.push_back(read_icd(path));
  else if (fs::is_directory(path, ignored))
    place.files = read_folder(path);
  else
    place.readable = !fs::exists(path, ignored);  // a folder that is not there holds nothing
  for (DriverFile& file : named_libraries()) place.files.push_back(std::move(file));
  return place;
}

}  // namespace anycl::detail
