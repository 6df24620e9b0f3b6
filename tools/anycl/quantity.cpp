#include "quantity.hpp"

#include <iterator>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace anycl::command {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

constexpr Unit kBinary[] = {{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
constexpr Unit kTime[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

std::string text_in(std::span<const Unit> units, std::uint64_t amount) {
  const auto value = static_cast<double>(amount);
  auto unit = units.rbegin();
  while (std::next(unit) != units.rend() && value < unit->size) ++unit;
  const double scaled = value / unit->size;
  if (unit->size == 1.0 || scaled >= 100) return fmt::format("{:.0f} {}", scaled, unit->name);
  return fmt::format("{:.{}f} {}", scaled, scaled >= 10 ? 1 : 2, unit->name);
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) { return text_in(kBinary, bytes); }

std::string duration_text(std::uint64_t ns) { return text_in(kTime, ns); }

}  // namespace anycl::command
