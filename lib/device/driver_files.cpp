#include "device/driver_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/os_regular_file.hpp"
#include "base/plain_line.hpp"
#include "device/selection_terms.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;

bool is_icd(const fs::path& file) { return file.extension() == ".icd"; }

/// As the loaders do it, which are written in C: they open what is on the first line, and the empty name is the program's own.
DriverFile read_icd(const fs::path& file) {
  constexpr std::size_t kLargest = 64 * 1024;
  constexpr std::string_view kEnds("\n\0", 2);
  const os::FileContent content = os::read_regular_file(file, kLargest);
  DriverFile driver{.icd = file};
  if (!content.problem.empty()) {
    driver.problem = "cannot be read: " + content.problem;
    driver.traps_loader = content.odd;
  } else if (content.text.empty()) {
    driver.problem = "is empty";
  } else {
    driver.library = content.text.substr(0, content.text.find_first_of(kEnds));
    driver.traps_loader = driver.library.empty();
    if (driver.traps_loader) driver.problem = "is empty in its first line";
  }
  return driver;
}

void read_folder(VendorPlace& place) {
  std::error_code failed;
  fs::directory_iterator entry(place.path, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
    if (is_icd(entry->path())) place.files.push_back(read_icd(entry->path()));
  if (failed) place.problem = failed.message();
  std::sort(place.files.begin(), place.files.end(), [](const auto& a, const auto& b) { return a.icd < b.icd; });
}

/// Drivers that the Khronos loader takes besides; ocl-icd does not look there.
std::vector<DriverFile> named_libraries() {
  std::vector<DriverFile> files;
  const std::string names = environment("OCL_ICD_FILENAMES").value_or("");
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(':', begin), names.size());
    if (end > begin) files.push_back({.library = names.substr(begin, end - begin), .variable = "OCL_ICD_FILENAMES"});
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

/// ocl-icd takes a library in the folder's place; the Khronos loader finds nothing there.
bool stands_for_library(const fs::path& place) {
  std::error_code ignored;
  const fs::file_status status = fs::status(place, ignored);
  if (fs::exists(status)) return !fs::is_directory(status);
  return !place.has_parent_path() || place.filename().string().find(".so") != std::string::npos;
}

}  // namespace

std::string DriverFile::name() const { return icd.empty() ? library : fs::path(icd).stem().string(); }

bool DriverFile::matches(const std::string& pattern) const {
  for (const fs::path& file : {fs::path(name()), fs::path(icd), fs::path(library)})
    if (glob_matches(pattern, file.string()) || glob_matches(pattern, file.filename().string())) return true;
  return false;
}

std::string DriverFile::description() const {
  if (icd.empty()) return plain_line(fmt::format("{} ({})", library, variable));
  return plain_line(library.empty() ? icd : fmt::format("{} ({})", icd, library));
}

VendorPlace VendorPlace::from_environment() {
  const fs::path path = place_from_environment();
  VendorPlace place{.path = path};
  if (is_icd(path))
    place.files.push_back(read_icd(path));
  else if (stands_for_library(path))
    place.files.push_back({.library = path, .variable = "OCL_ICD_VENDORS"});
  else
    read_folder(place);
  for (DriverFile& file : named_libraries()) place.files.push_back(std::move(file));
  return place;
}

}  // namespace anycl::detail
