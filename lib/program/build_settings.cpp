#include "program/build_settings.hpp"

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_process.hpp"
#include "base/quote.hpp"
#include "base/scaled_number.hpp"

namespace anycl::detail {
namespace {

constexpr std::uint64_t kDefaultMemory = std::uint64_t{4} << 30;

bool child_from_environment() {
  const auto text = environment("ANYCL_BUILD");
  if (!text || *text == "inline") return false;
  if (*text == "child") return true;
  log::warn("ANYCL_BUILD={} is not one of child, inline; using inline", quote(*text));
  return false;
}

std::uint64_t memory_from_environment() {
  const auto text = environment("ANYCL_BUILD_MEMORY");
  if (!text) return kDefaultMemory;
  const auto bytes = parse_scaled_number(*text);
  if (!bytes) log::warn("ANYCL_BUILD_MEMORY={} is not a number of bytes such as 512M; using 4G", quote(*text));
  return bytes.value_or(kDefaultMemory);
}

}  // namespace

BuildSettings BuildSettings::from_environment() {
  return {child_from_environment(), !os::is_privileged(),
          seconds_from_environment("ANYCL_BUILD_LIMIT", BuildSettings{}.limit), memory_from_environment()};
}

}  // namespace anycl::detail
