#include "program/cache_key.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/version.hpp"
#include "base/byte_stream.hpp"
#include "base/os_process.hpp"
#include "device/driver_variables.hpp"

namespace anycl::detail {
namespace {

/// How the environment steers the code that this process would get for `device`.
std::string environment_of(const Device& device) {
  const std::string variables = fmt::format("{}", fmt::join(compiler_variables(device.platform_alias()), "\n"));
  return device.kind() == DeviceKind::cpu ? os::processor_features() + variables : variables;
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
      fmt::format("{:x}", facts.vendor_id.value_or(0)),
      device.driver_version(),
      fmt::format("{}", fmt::join(facts.extensions, " ")),
      fmt::format("{}, {}", facts.opencl_version, facts.opencl_c_version),
      fmt::format("{} bits", facts.address_bits),
      environment_of(device),
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
