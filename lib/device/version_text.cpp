#include "device/version_text.hpp"

#include <algorithm>
#include <charconv>

namespace anycl::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<Version> find_version(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  const char* at = std::find_if(text.data(), end, is_digit);
  if (at == end) return std::nullopt;
  Version version;
  for (std::uint32_t* part : {&version.major, &version.minor, &version.patch}) {
    const auto [next, failed] = std::from_chars(at, end, *part);
    if (failed != std::errc{}) return std::nullopt;
    if (end - next < 2 || *next != '.' || !is_digit(next[1])) break;
    at = next + 1;
  }
  return version;
}

}  // namespace anycl::detail
