#include "base/scaled_number.hpp"

#include <charconv>
#include <limits>

namespace anycl {

std::optional<std::uint64_t> parse_scaled_number(std::string_view text) noexcept {
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc{}) return std::nullopt;
  if (rest == end) return number;
  const auto unit = kUnits.find(*rest);
  if (end - rest != 1 || unit == std::string_view::npos) return std::nullopt;
  const auto shift = 10 * (unit + 1);
  if (number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return number << shift;
}

}  // namespace anycl
