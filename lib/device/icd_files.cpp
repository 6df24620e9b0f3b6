#include "device/icd_files.hpp"

#include <fmt/format.h>

#include "base/os_library.hpp"
#include "base/plain_line.hpp"
#include "device/driver_files.hpp"
#include "device/probe.hpp"

namespace anycl::detail {
namespace {

/// Opens no driver that is known to do harm.
std::string finding_on(const DriverFile& driver) {
  if (const LeftOutDriver* left_out = driver_probe().find(driver)) return left_out->explanation();
  if (driver.library.empty()) return driver.problem;
  const auto opened = os::Library::open(driver.library);
  return opened ? "opens, but offers no platform" : opened.problem();
}

}  // namespace

std::string describe_icd_files() {
  const VendorPlace place = VendorPlace::from_environment();
  std::string text = fmt::format("in {}", place.path);
  if (place.files.empty()) text = fmt::format("no .icd file in {}", place.path);
  if (!place.problem.empty()) text = fmt::format("{} cannot be read: {}", place.path, place.problem);
  const char* separator = ": ";
  for (const DriverFile& driver : place.files) {
    text += fmt::format("{}{}: {}", separator, driver.icd.empty() ? driver.library : driver.icd, finding_on(driver));
    separator = "; ";
  }
  if (driver_probe().left_out.empty()) text += "; install a driver, for example pocl-opencl-icd";
  return plain_line(text);
}

}  // namespace anycl::detail
