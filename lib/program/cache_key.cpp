#include "program/cache_key.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/version.hpp"
#include "base/byte_stream.hpp"
#include "base/os_process.hpp"
#include "base/plain_line.hpp"
#include "device/driver_variables.hpp"

namespace anycl::detail {
namespace {

/// How the environment steers the code that this process would get for `device`.
std::string environment_of(const Device& device) {
  const std::string variables = fmt::format("{}", fmt::join(compiler_variables(device.platform_alias()), "\n"));
  return device.kind() == DeviceKind::cpu ? os::processor_features() + variables : variables;
}

constexpr std::string_view kFormat = "anycl kernel 3";

/// Fields of a key, in their order.
struct Field {
  enum Index : std::size_t {
    format,
    library_version,
    source,
    text,
    options,
    platform,
    platform_version,
    device,
    vendor,
    driver_version,
    extensions,
    versions,
    address_bits,
    steered_by,
    count
  };
};
using Fields = std::array<std::string, Field::count>;

Digest digest_of(const Fields& fields) {
  FieldHasher hasher;
  for (const std::string& field : fields) hasher.add(field);
  return hasher.finish();
}

std::optional<Fields> split(std::string_view joined) {
  Fields fields;
  ByteReader reader(std::as_bytes(std::span(joined.data(), joined.size())));
  for (std::string& field : fields) field = reader.text();
  if (reader.failed() || !reader.at_end() || fields[Field::format] != kFormat) return std::nullopt;
  return fields;
}

}  // namespace

CacheKey make_cache_key(std::string_view name, std::string_view text, std::string_view options, const Device& device) {
  const Capabilities& facts = device.capabilities();
  Fields fields;
  fields[Field::format] = kFormat;
  fields[Field::library_version] = version();
  fields[Field::source] = name;
  fields[Field::text] = text;
  fields[Field::options] = options;
  fields[Field::platform] = device.platform_name();
  fields[Field::platform_version] = device.platform_version();
  fields[Field::device] = device.name();
  fields[Field::vendor] = fmt::format("{:x}", facts.vendor_id.value_or(0));
  fields[Field::driver_version] = device.driver_version();
  fields[Field::extensions] = fmt::format("{}", fmt::join(facts.extensions, " "));
  fields[Field::versions] = fmt::format("{}, {}", facts.opencl_version, facts.opencl_c_version);
  fields[Field::address_bits] = fmt::format("{} bits", facts.address_bits);
  fields[Field::steered_by] = environment_of(device);
  ByteWriter writer;
  for (const std::string& field : fields) writer.text(field);
  const auto& bytes = writer.bytes();
  return {digest_of(fields), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

std::optional<BuildOrigin> origin_of(std::string_view joined) {
  auto fields = split(joined);
  if (!fields) return std::nullopt;
  BuildOrigin origin;
  origin.digest = digest_of(*fields);
  origin.source = plain_line((*fields)[Field::source]);
  origin.options = std::move((*fields)[Field::options]);
  origin.device = std::move((*fields)[Field::device]);
  origin.platform = std::move((*fields)[Field::platform]);
  origin.driver_version = std::move((*fields)[Field::driver_version]);
  origin.library_version = std::move((*fields)[Field::library_version]);
  return origin;
}

}  // namespace anycl::detail
