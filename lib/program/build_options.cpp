#include "anycl/program/build_options.hpp"

#include <cmath>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/quote.hpp"

namespace anycl {
namespace {

bool is_identifier(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view kAll = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && kLetters.find(name.front()) != std::string_view::npos &&
         name.find_first_not_of(kAll) == std::string_view::npos;
}

/// True for a value that would swallow what stands on the lines after it.
bool leaves_its_line(std::string_view value) {
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) return true;
  const std::string_view visible = value.substr(0, value.find_last_not_of(" \t\v\f") + 1);
  if (visible.ends_with('\\') || visible.ends_with("?\?/")) return true;  // joins lines
  const auto comment = value.rfind("/*");
  return comment != std::string_view::npos && value.find("*/", comment + 2) == std::string_view::npos;
}

/// Shortest text that reads back as `value`; always with a point or exponent, so that it stays a floating constant.
template <class T>
std::string float_text(T value, std::string_view suffix, std::string_view name) {
  if (!std::isfinite(value))
    throw InvalidArgument(
        fmt::format("define {}: {} has no OpenCL C constant; define it as INFINITY or NAN", name, value));
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + std::string(suffix);
}

}  // namespace

BuildOptions& BuildOptions::define(std::string_view name, std::string_view value) {
  if (!is_identifier(name)) throw InvalidArgument(fmt::format("define {}: the name is not an identifier", quote(name)));
  if (leaves_its_line(value)) throw InvalidArgument(fmt::format("define {}: the value must be one line", name));
  defines_.insert_or_assign(std::string(name), std::string(value));
  return *this;
}

BuildOptions& BuildOptions::define_float(std::string_view name, float value) {
  return define(name, float_text(value, "f", name));
}

BuildOptions& BuildOptions::define_double(std::string_view name, double value) {
  return define(name, float_text(value, "", name));
}

BuildOptions& BuildOptions::define_signed(std::string_view name, std::int64_t value) {
  // The most negative values have no constants of their own: their digits alone do not fit the type.
  if (value == INT64_MIN) return define(name, "(-9223372036854775807L - 1L)");
  if (value == INT32_MIN) return define(name, "(-2147483647 - 1)");
  const bool is_long = value > INT32_MAX || value < INT32_MIN;
  const std::string digits = fmt::format("{}{}", value, is_long ? "L" : "");
  return define(name, value < 0 ? "(" + digits + ")" : digits);
}

BuildOptions& BuildOptions::define_unsigned(std::string_view name, std::uint64_t value) {
  const std::string_view suffix = value <= INT32_MAX ? "" : value <= UINT32_MAX ? "u" : "UL";
  return define(name, fmt::format("{}{}", value, suffix));
}

}  // namespace anycl
