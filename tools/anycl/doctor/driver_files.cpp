#include "doctor/driver_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "device/driver_files.hpp"
#include "device/selection_terms.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;
using detail::DriverFile;
using detail::VendorPlace;

constexpr const char* kCheck = "driver files";
const std::string kNoRight = std::make_error_code(std::errc::permission_denied).message();

/// OCL_ICD_FILENAMES, which ocl-icd does not look at.
bool is_named_by_variable(const DriverFile& file) { return file.variable == "OCL_ICD_FILENAMES"; }

/// ocl-icd takes a driver file or a library in place of the folder.
bool is_file(const VendorPlace& place) {
  return fs::path(place.path).extension() == ".icd" ||
         std::any_of(place.files.begin(), place.files.end(),
                     [](const DriverFile& file) { return file.variable == "OCL_ICD_VENDORS"; });
}

std::string advice_on_unread(const DriverFile& file) {
  std::error_code unknown;
  if (fs::is_symlink(file.icd, unknown) && !fs::exists(file.icd, unknown))
    return "it is a link to what is not there: install its package again, or remove it";
  if (file.problem.ends_with(kNoRight))
    return fmt::format("make it readable (sudo chmod a+r {}), or remove it", shell_word(file.icd));
  return "write the driver's library into it, install its package again, or remove it";
}

DriverReport report_on(const DriverFile& file) {
  DriverReport driver{.name = file.name(), .file = file.icd, .library = file.library, .variable = file.variable};
  if (file.library.empty())
    driver.findings.push_back(
        {"library", Status::fail, fmt::format("{} {}", file.icd, file.problem), advice_on_unread(file)});
  return driver;
}

Finding judge_folder(const VendorPlace& place) {
  std::error_code problem;
  if (fs::directory_iterator(place.path, problem); problem)
    return {kCheck, Status::fail, fmt::format("{} cannot be read: {}", place.path, problem.message()),
            problem.message() == kNoRight
                ? fmt::format("give all users the right to read it and the folders above it: chmod a+rx {}",
                              shell_word(place.path))
                : "install a driver, or correct OCL_ICD_VENDORS"};
  const auto found = place.files.size() - static_cast<std::size_t>(std::count_if(place.files.begin(), place.files.end(),
                                                                                 is_named_by_variable));
  if (found == 0)
    return {kCheck, Status::warn, fmt::format("none in {}", place.path),
            "install a driver, for example pocl-opencl-icd"};
  return {kCheck, Status::ok, fmt::format("{} in {}", found, place.path)};
}

/// ocl-icd takes a single file in place of a folder; the Khronos loader finds nothing then, without a word.
Finding judge_file(const VendorPlace& place, const LoaderReport& loader) {
  if (!loader.works() || loader.is_ocl_icd()) return {kCheck, Status::ok, fmt::format("{} alone", place.path)};
  return {kCheck, Status::fail, fmt::format("OCL_ICD_VENDORS='{}' is a file; this loader takes a folder", place.path),
          "set it to a folder of .icd files"};
}

Finding judge(const VendorPlace& place, const LoaderReport& loader) {
  return is_file(place) ? judge_file(place, loader) : judge_folder(place);
}

/// Whether the loader would load what the file names.
bool is_taken(const DriverFile& file, const Finding& on_place, const LoaderReport& loader) {
  return is_named_by_variable(file) ? !loader.is_ocl_icd() : on_place.status != Status::fail;
}

}  // namespace

DriverFiles driver_files(const LoaderReport& loader) {
  if (loader.platforms > 0)
    return {{{.name = "loader", .inside_loader = true}},
            {{kCheck, Status::skip, "this loader is a driver itself, and reads none"}}};
  const VendorPlace place = VendorPlace::from_environment();
  DriverFiles files{.drivers = {}, .findings = {judge(place, loader)}};
  bool all_taken = true;
  for (const DriverFile& file : place.files)
    if (is_taken(file, files.findings.front(), loader))
      files.drivers.push_back(report_on(file));
    else if (is_named_by_variable(file))
      all_taken = false;
  if (!all_taken)
    files.findings.push_back({kCheck, Status::warn, "OCL_ICD_FILENAMES is set, and ocl-icd ignores it",
                              "put the driver into a folder, and set OCL_ICD_VENDORS to that"});
  return files;
}

bool is_called(const DriverReport& driver, const std::string& pattern) {
  return detail::glob_matches(pattern, driver.name) ||
         detail::glob_matches(pattern, fs::path(driver.library).filename().string());
}

}  // namespace anycl::command
