#include "device/vendor_folder.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace anycl::detail {

namespace fs = std::filesystem;

std::optional<PrivateVendorFolder> PrivateVendorFolder::make(const std::vector<std::string>& icd_files,
                                                             std::string& problem) {
  auto folder = os::TemporaryFolder::make(problem);
  if (!folder) return std::nullopt;
  // Numbered: files of several folders may have one name.
  for (std::size_t i = 0; i < icd_files.size(); ++i) {
    const fs::path file(icd_files[i]);
    std::error_code failed;
    fs::copy_file(file, fs::path(folder->path()) / fmt::format("{}-{}", i, file.filename().string()), failed);
    if (!failed) continue;
    problem = fmt::format("cannot copy {} to {}: {}", icd_files[i], folder->path(), failed.message());
    return std::nullopt;
  }
  return PrivateVendorFolder(std::move(*folder));
}

std::optional<PrivateVendorFolder> PrivateVendorFolder::naming(const std::string& library, std::string& problem) {
  auto folder = os::TemporaryFolder::make(problem);
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
  return {"OCL_ICD_VENDORS=" + path(), "OCL_ICD_FILENAMES"};
}

}  // namespace anycl::detail
