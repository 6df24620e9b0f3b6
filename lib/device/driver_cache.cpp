#include "device/driver_cache.hpp"

#include <chrono>
#include <string>

#include "base/environment.hpp"
#include "base/logging.hpp"

namespace anycl::detail {
namespace {

constexpr std::chrono::seconds kLongestWait(10);

/// Where PoCL keeps what it has built.
std::string pocl_folder() {
  if (const auto folder = environment("POCL_CACHE_DIR")) return *folder;
  if (const auto base = environment("XDG_CACHE_HOME")) return *base + "/pocl/kcache";
  if (const auto home = environment("HOME")) return *home + "/.cache/pocl/kcache";
  return "/tmp/pocl/kcache";
}

}  // namespace

BuildTurn::BuildTurn(const DeviceRecord& device) {
  if (!device.faults.build_races) return;
  const std::string folder = pocl_folder();
  lock_.emplace(folder, kLongestWait);
  if (!lock_->is_held()) log::debug("{}: no turn to build in {}; building without", device.platform_name, folder);
}

}  // namespace anycl::detail
