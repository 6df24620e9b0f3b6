#include "device/icd_files.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/os_library.hpp"
#include "device/driver_files.hpp"
#include "device/probe.hpp"

namespace anycl::detail {
namespace {

/// Opens no driver that is known to do harm.
std::string finding_on(const DriverFile& driver) {
  if (const LeftOutDriver* left_out = driver_probe().find(driver)) return left_out->reason;
  if (driver.library.empty()) return "empty or unreadable";
  const auto opened = os::Library::open(driver.library);
  return opened ? "opens, but offers no platform" : opened.problem();
}

}  // namespace

std::string describe_icd_files() {
  const VendorPlace place = VendorPlace::from_environment();
  std::vector<std::string> findings;
  for (const DriverFile& driver : place.files)
    findings.push_back(fmt::format("{}: {}", driver.icd.empty() ? driver.library : driver.icd, finding_on(driver)));
  if (findings.empty()) return fmt::format("no .icd file in {}", place.path);
  return fmt::format("in {}: {}", place.path, fmt::join(findings, "; "));
}

}  // namespace anycl::detail
