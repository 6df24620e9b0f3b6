#include "base/cache_settings.hpp"

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_process.hpp"
#include "base/quote.hpp"
#include "base/scaled_number.hpp"

namespace anycl {
namespace {

using Mode = CacheSettings::Mode;

constexpr std::uint64_t kDefaultLimit = std::uint64_t{1} << 30;

Mode mode_from_environment() {
  if (os::is_privileged()) return Mode::off;
  const std::string text = environment("ANYCL_CACHE").value_or("on");
  if (text == "on") return Mode::read_write;
  if (text == "off") return Mode::off;
  if (text == "readonly") return Mode::read_only;
  if (text == "verify") return Mode::verify;
  log::warn("ANYCL_CACHE={} is not one of on, off, readonly, verify; using on", quote(text));
  return Mode::read_write;
}

std::uint64_t limit_from_environment() {
  const auto text = environment("ANYCL_CACHE_LIMIT");
  if (!text) return kDefaultLimit;
  const auto limit = parse_scaled_number(*text);
  if (!limit) log::warn("ANYCL_CACHE_LIMIT={} is not a number of bytes such as 512M; using 1G", quote(*text));
  return limit.value_or(kDefaultLimit);
}

std::string folder_from_environment() {
  if (auto place = environment("ANYCL_CACHE_DIR")) return *std::move(place);
  if (const auto base = environment("XDG_CACHE_HOME"); base && base->front() == '/') return *base + "/anycl";
  const auto home = os::home_from_passwd();
  if (!home || home->empty() || *home == "/") return {};
  return *home + "/.cache/anycl";
}

}  // namespace

CacheSettings CacheSettings::from_environment() {
  return {mode_from_environment(), folder_from_environment(), limit_from_environment(),
          environment("ANYCL_SYSTEM_CACHE_DIR").value_or("/var/cache/anycl")};
}

}  // namespace anycl
