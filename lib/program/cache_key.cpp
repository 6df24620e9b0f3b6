#include "program/cache_key.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/version.hpp"
#include "base/byte_stream.hpp"
#include "base/os_process.hpp"
#include "device/device_record.hpp"

namespace anycl::detail {
namespace {

struct CompilerVariables {
  std::string_view platform_alias;
  std::string_view prefix;
};

// Variables that change what a driver's compiler generates begin so.
constexpr std::array kCompilerVariables{
    CompilerVariables{"pocl", "POCL_"},       CompilerVariables{"intel", "CL_CONFIG_"},
    CompilerVariables{"rusticl", "RUSTICL_"}, CompilerVariables{"rusticl", "LP_"},
    CompilerVariables{"rusticl", "GALLIVM_"}, CompilerVariables{"amd", "AMD_OCL_"},
};

// They begin so too, but say where files go or what is printed.
constexpr std::array<std::string_view, 3> kHarmless{"POCL_CACHE_DIR=", "POCL_DEBUG=", "RUSTICL_ENABLE="};

std::string compiler_variables(const Device& device) {
  std::vector<std::string> found;
  for (const auto& [alias, prefix] : kCompilerVariables) {
    if (alias != device.platform_alias()) continue;
    for (std::string& variable : os::environment_with_prefix(prefix)) {
      const bool harmless = std::any_of(kHarmless.begin(), kHarmless.end(),
                                        [&](std::string_view name) { return variable.starts_with(name); });
      if (!harmless) found.push_back(std::move(variable));
    }
  }
  std::sort(found.begin(), found.end());
  return fmt::format("{}", fmt::join(found, "\n"));
}

}  // namespace

CacheKey make_cache_key(std::string_view expanded, std::string_view options, const Device& device) {
  constexpr std::string_view kFormat = "anycl kernel 1";
  const Capabilities& facts = device.capabilities();
  const std::array<std::string, 13> fields{
      std::string(kFormat),
      std::string(version()),
      std::string(expanded),
      std::string(options),
      device.platform_name(),
      device.platform_version(),
      device.name(),
      fmt::format("{:x}", device.record().vendor_id),
      device.driver_version(),
      fmt::format("{}", fmt::join(facts.extensions, " ")),
      fmt::format("{}, {}", facts.opencl_version, facts.opencl_c_version),
      fmt::format("{} bits", facts.address_bits),
      device.kind() == DeviceKind::cpu ? os::processor_features() + compiler_variables(device)
                                       : compiler_variables(device),
  };
  ByteWriter writer;
  FieldHasher hasher;
  for (const std::string& field : fields) {
    writer.text(field);
    hasher.add(field);
  }
  const auto& bytes = writer.bytes();
  return {hasher.finish(), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

}  // namespace anycl::detail
