#include "anycl/program/definition.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/quote.hpp"
#include "program/signature.hpp"

namespace anycl {
namespace {

bool is_identifier(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view kAll = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && kLetters.find(name.front()) != std::string_view::npos &&
         name.find_first_not_of(kAll) == std::string_view::npos;
}

void check_name(std::string_view name) {
  if (!is_identifier(name)) throw InvalidArgument(fmt::format("define {}: the name is not an identifier", quote(name)));
  if (name == "defined") throw InvalidArgument("define defined: no compiler lets that word stand for something else");
}

/// True for a value that would join the line after it to its own.
bool leaves_its_line(std::string_view value) {
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) return true;
  return value.substr(0, value.find_last_not_of(" \t\v\f") + 1).ends_with('\\');
}

/// Three characters that stand for one, to some compilers.
bool has_trigraph(std::string_view value) {
  for (auto at = value.find("?\?"); at != std::string_view::npos; at = value.find("?\?", at + 1))
    if (value.substr(at + 2).find_first_of("=/'()!<>-") == 0) return true;
  return false;
}

/// Behind the literal that begins `text` with its quote; nothing when it does not end.
std::optional<std::size_t> end_of_literal(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); i += text[i] == '\\' ? 2 : 1)
    if (text[i] == text.front()) return i + 1;
  return std::nullopt;
}

/// What a compiler would make of `text`, which stands outside of literals, that is not what is written.
std::string fault_at(std::string_view text) {
  if (text.starts_with("//") || text.starts_with("/*")) return "a comment is not part of a value";
  if (text.starts_with("##") || text.starts_with("%:%:")) return "## joins what is on its sides, and does not arrive";
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte >= ' ' && byte <= '~') return {};
  if (byte == '\t' || byte == '\v' || byte == '\f') return {};
  return fmt::format("byte {:#04x} of the value is not printable ASCII; only literals may have such characters", byte);
}

/// Why `value` would not reach each compiler as written; empty when it does.
std::string fault_of(std::string_view value) {
  if (leaves_its_line(value)) return "the value must be one line";
  if (has_trigraph(value)) return "trigraphs are not supported";
  while (!value.empty()) {
    std::size_t size = 1;
    if (value.front() == '"' || value.front() == '\'') {
      const auto end = end_of_literal(value);
      if (!end) return fmt::format("the quote {} of the value has no end", value.front());
      size = *end;
    } else if (auto fault = fault_at(value); !fault.empty()) {
      return fault;
    }
    value.remove_prefix(size);
  }
  return {};
}

/// Shortest text that reads back as `value`; always with a point or exponent, so that it stays a floating constant.
template <class T>
std::string float_text(T value, std::string_view suffix, std::string_view name) {
  check_name(name);
  if (!std::isfinite(value))
    throw InvalidArgument(
        fmt::format("define {}: {} has no OpenCL C constant; define it as INFINITY or NAN", name, value));
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + std::string(suffix);
}

}  // namespace

Definition::Definition(std::string_view name, std::string_view value) : name_(name), value_(value) {
  check_name(name);
  if (const std::string fault = fault_of(value); !fault.empty())
    throw InvalidArgument(fmt::format("define {}: {}", name, fault));
}

std::string Definition::constant(std::string_view name, float value) { return float_text(value, "f", name); }

std::string Definition::constant(std::string_view name, double value) { return float_text(value, "", name); }

std::string Definition::constant(std::string_view, std::int64_t value) {
  // The most negative values have no constants of their own: their digits alone do not fit the type.
  if (value == INT64_MIN) return "(-9223372036854775807L - 1L)";
  if (value == INT32_MIN) return "(-2147483647 - 1)";
  const bool is_long = value > INT32_MAX || value < INT32_MIN;
  const std::string digits = fmt::format("{}{}", value, is_long ? "L" : "");
  return value < 0 ? "(" + digits + ")" : digits;
}

std::string Definition::constant(std::string_view, std::uint64_t value) {
  const std::string_view suffix = value <= INT32_MAX ? "" : value <= UINT32_MAX ? "u" : "UL";
  return fmt::format("{}{}", value, suffix);
}

std::string Definition::type_name(detail::ElementType type) { return detail::type_word(type); }

}  // namespace anycl
