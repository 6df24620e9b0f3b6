#include "device/vendor_folder.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace anycl::detail {

namespace fs = std::filesystem;

std::optional<PrivateVendorFolder> PrivateVendorFolder::make(const std::vector<DriverFile>& drivers,
                                                             std::string& problem, const std::string& fallback) {
  return filled(os::TemporaryFolder::make(problem, fallback), drivers, problem);
}

std::optional<PrivateVendorFolder> PrivateVendorFolder::make_in(const std::string& parent,
                                                                const std::vector<DriverFile>& drivers,
                                                                std::string& problem) {
  return filled(os::TemporaryFolder::make_in(parent, problem), drivers, problem);
}

std::optional<PrivateVendorFolder> PrivateVendorFolder::filled(std::optional<os::TemporaryFolder> temporary,
                                                               const std::vector<DriverFile>& drivers,
                                                               std::string& problem) {
  if (!temporary) return std::nullopt;
  PrivateVendorFolder folder(std::move(*temporary));
  for (const DriverFile& driver : drivers) {
    std::error_code failed;
    folder.add(driver, failed);
    if (!failed) continue;
    problem = fmt::format("cannot link {} into {}: {}", driver.icd, folder.path(), failed.message());
    return std::nullopt;
  }
  return folder;
}

void PrivateVendorFolder::add(const DriverFile& driver, std::error_code& failed) {
  if (!driver.icd.empty()) {
    const fs::path file = fs::absolute(driver.icd, failed);
    if (failed) return;
    // Numbered: files of several folders may have one name.
    fs::create_symlink(file, fs::path(path()) / fmt::format("{}-{}", links_++, file.filename().string()), failed);
  } else if (driver.variable == "OCL_ICD_VENDORS") {
    in_its_place_ = driver.library;
  } else {
    filenames_ += (filenames_.empty() ? "" : ":") + driver.library;
  }
}

std::optional<PrivateVendorFolder> PrivateVendorFolder::naming(const std::string& library, std::string& problem,
                                                               const std::string& fallback) {
  auto folder = os::TemporaryFolder::make(problem, fallback);
  if (!folder) return std::nullopt;
  const fs::path path = fs::path(folder->path()) / "driver.icd";
  std::ofstream file(path);
  file << library << '\n';
  file.close();
  if (file) return PrivateVendorFolder(std::move(*folder));
  problem = fmt::format("cannot write {}", path.string());
  return std::nullopt;
}

std::vector<std::string> PrivateVendorFolder::variables() const {
  return {"OCL_ICD_VENDORS=" + (in_its_place_.empty() ? path() : in_its_place_),
          filenames_.empty() ? "OCL_ICD_FILENAMES" : "OCL_ICD_FILENAMES=" + filenames_};
}

}  // namespace anycl::detail
