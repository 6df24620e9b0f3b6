#include "device/driver_variables.hpp"

#include <algorithm>

#include "base/os_process.hpp"

namespace anycl::detail {
namespace {

struct DriverVariable {
  std::string_view platform_alias;
  std::string_view prefix;
  bool steers_compiler;  ///< else it says where files go, what is printed, which devices there are
};

/// The longest prefix decides.
constexpr DriverVariable kVariables[] = {
    {"pocl", "POCL_", true},       {"pocl", "POCL_CACHE_DIR=", false}, {"pocl", "POCL_DEBUG=", false},
    {"intel", "CL_CONFIG_", true}, {"rusticl", "RUSTICL_", true},      {"rusticl", "RUSTICL_ENABLE=", false},
    {"rusticl", "LP_", true},      {"rusticl", "GALLIVM_", true},      {"amd", "AMD_OCL_", true},
};

/// The line that decides about `variable`, which one line at least matches.
const DriverVariable& line_for(std::string_view variable, std::string_view platform_alias) {
  const auto length = [&](const DriverVariable& line) {
    return line.platform_alias == platform_alias && variable.starts_with(line.prefix) ? line.prefix.size() : 0;
  };
  return *std::max_element(std::begin(kVariables), std::end(kVariables),
                           [&](const auto& a, const auto& b) { return length(a) < length(b); });
}

}  // namespace

std::vector<std::string> compiler_variables(std::string_view platform_alias) {
  std::vector<std::string> found;
  for (const DriverVariable& line : kVariables) {
    if (line.platform_alias != platform_alias || !line.steers_compiler) continue;
    for (std::string& variable : os::environment_with_prefix(line.prefix))
      if (&line_for(variable, platform_alias) == &line) found.push_back(std::move(variable));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> driver_variables() {
  std::vector<std::string> found;
  for (const DriverVariable& line : kVariables)
    for (std::string& variable : os::environment_with_prefix(line.prefix)) found.push_back(std::move(variable));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace anycl::detail
