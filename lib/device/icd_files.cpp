#include "device/icd_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/environment.hpp"
#include "base/os_library.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> icd_files(const fs::path& place) {
  std::vector<fs::path> files;
  std::error_code ignored;
  if (place.extension() == ".icd") return {place};
  for (const auto& entry : fs::directory_iterator(place, ignored))
    if (entry.path().extension() == ".icd") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string describe_file(const fs::path& file) {
  std::ifstream stream(file);
  std::string library;
  if (!std::getline(stream, library) || library.empty()) return fmt::format("{}: empty or unreadable", file.string());
  const auto opened = os::Library::open(library);
  return opened ? fmt::format("{}: opens, but offers no platform", file.string())
                : fmt::format("{}: {}", file.string(), opened.problem());
}

}  // namespace

std::string describe_icd_files() {
  const std::string folder = environment("OCL_ICD_VENDORS").value_or("/etc/OpenCL/vendors");
  std::vector<std::string> findings;
  for (const auto& file : icd_files(folder)) findings.push_back(describe_file(file));
  if (findings.empty()) return fmt::format("no .icd file in {}", folder);
  return fmt::format("in {}: {}", folder, fmt::join(findings, "; "));
}

}  // namespace anycl::detail
