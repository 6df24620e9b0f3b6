#include "element_type.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "anycl/program/half.hpp"

namespace anycl::command {
namespace {

using detail::ScalarType;

struct ScalarWord {
  ScalarType scalar;
  std::string_view word;
  std::string_view long_word;  ///< the other spelling drivers use
  std::size_t bytes;
};

constexpr std::array kWords{
    ScalarWord{ScalarType::int8, "char", "signed char", 1},
    ScalarWord{ScalarType::uint8, "uchar", "unsigned char", 1},
    ScalarWord{ScalarType::int16, "short", "signed short", 2},
    ScalarWord{ScalarType::uint16, "ushort", "unsigned short", 2},
    ScalarWord{ScalarType::int32, "int", "signed int", 4},
    ScalarWord{ScalarType::uint32, "uint", "unsigned int", 4},
    ScalarWord{ScalarType::int64, "long", "signed long", 8},
    ScalarWord{ScalarType::uint64, "ulong", "unsigned long", 8},
    ScalarWord{ScalarType::half, "half", "half", 2},
    ScalarWord{ScalarType::float32, "float", "float", 4},
    ScalarWord{ScalarType::float64, "double", "double", 8},
};

const ScalarWord* find_word(ScalarType scalar) {
  return std::find_if(kWords.begin(), kWords.end(), [scalar](const auto& entry) { return entry.scalar == scalar; });
}

/// Cuts the number of lanes off the end; 1 when there is none.
std::uint8_t take_lanes(std::string_view& word) {
  for (const std::string_view lanes : {"16", "2", "3", "4", "8"}) {
    if (!word.ends_with(lanes)) continue;
    word.remove_suffix(lanes.size());
    return static_cast<std::uint8_t>(lanes == "16" ? 16 : lanes[0] - '0');
  }
  return 1;
}

/// Calls `use` with a value of the host's type, which for a half is that of its bits.
template <class Use>
auto with_type(ScalarType scalar, Use&& use) {
  switch (scalar) {
    case ScalarType::int8:
      return use(std::int8_t{});
    case ScalarType::int16:
      return use(std::int16_t{});
    case ScalarType::uint16:
    case ScalarType::half:
      return use(std::uint16_t{});
    case ScalarType::int32:
      return use(std::int32_t{});
    case ScalarType::uint32:
      return use(std::uint32_t{});
    case ScalarType::int64:
      return use(std::int64_t{});
    case ScalarType::uint64:
      return use(std::uint64_t{});
    case ScalarType::float32:
      return use(float{});
    case ScalarType::float64:
      return use(double{});
    case ScalarType::none:
    case ScalarType::boolean:
    case ScalarType::uint8:
      break;
  }
  return use(std::uint8_t{});
}

template <class T>
T load(std::span<const std::byte> from) {
  T value{};
  std::memcpy(&value, from.data(), sizeof value);
  return value;
}

template <class T>
void store(T value, std::span<std::byte> to) {
  std::memcpy(to.data(), &value, sizeof value);
}

template <class T>
struct Parsed {
  NumberText verdict = NumberText::no_number;
  T value{};
};

/// All of `text`, or nothing.
template <class T, class... Format>
Parsed<T> parse(std::string_view text, Format... format) {
  Parsed<T> parsed;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), parsed.value, format...);
  if (failed == std::errc::invalid_argument || end != text.data() + text.size()) return parsed;
  parsed.verdict = failed == std::errc{} ? NumberText::fits : NumberText::out_of_range;
  return parsed;
}

template <std::integral T>
Parsed<T> parse_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    const auto bits = parse<std::make_unsigned_t<T>>(text.substr(2), 16);
    return {bits.verdict, static_cast<T>(bits.value)};
  }
  const bool below_all = std::is_unsigned_v<T> && text.starts_with('-');
  if (below_all && parse<T>(text.substr(1)).verdict != NumberText::no_number) return {NumberText::out_of_range, T{}};
  return parse<T>(text);
}

template <std::floating_point T>
Parsed<T> parse_number(std::string_view text) {
  return parse<T>(text);
}

template <std::floating_point T>
Json json_of(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

}  // namespace

std::optional<ElementType> element_type(std::string_view word) {
  const std::uint8_t lanes = take_lanes(word);
  const auto* found = std::find_if(kWords.begin(), kWords.end(), [word](const ScalarWord& entry) {
    return entry.word == word || entry.long_word == word;
  });
  if (found == kWords.end()) return std::nullopt;
  return ElementType{found->scalar, lanes};
}

std::optional<ElementType> pointee_type(std::string_view pointer) {
  if (!pointer.ends_with('*')) return std::nullopt;
  while (pointer.ends_with('*') || pointer.ends_with(' ')) pointer.remove_suffix(1);
  return element_type(pointer);
}

std::string to_string(ElementType type) {
  const std::string_view word = find_word(type.scalar) == kWords.end() ? "?" : find_word(type.scalar)->word;
  return type.lanes == 1 ? std::string(word) : fmt::format("{}{}", word, type.lanes);
}

std::size_t scalar_bytes(ScalarType scalar) {
  return with_type(scalar, [](auto value) { return sizeof value; });
}

bool is_floating(ScalarType scalar) { return scalar >= ScalarType::half; }

NumberText write_number(std::string_view text, ScalarType scalar, std::span<std::byte> to) {
  if (scalar == ScalarType::half) return NumberText::no_number;
  return with_type(scalar, [&](auto kind) {
    const auto parsed = parse_number<decltype(kind)>(text);
    if (parsed.verdict == NumberText::fits) store(parsed.value, to);
    return parsed.verdict;
  });
}

std::string range_text(ScalarType scalar) {
  return with_type(scalar, [](auto kind) {
    using Limits = std::numeric_limits<decltype(kind)>;
    if constexpr (Limits::is_integer)
      return fmt::format("{} to {}", static_cast<std::int64_t>(Limits::min()),
                         static_cast<std::uint64_t>(Limits::max()));
    else
      return fmt::format("{} to {}", Limits::denorm_min(), Limits::max());
  });
}

void write_value(double value, ScalarType scalar, std::span<std::byte> to) {
  with_type(scalar, [&](auto kind) { store(static_cast<decltype(kind)>(value), to); });
}

void write_bits(std::uint64_t bits, ScalarType scalar, std::span<std::byte> to) {
  std::memcpy(to.data(), &bits, scalar_bytes(scalar));  // little-endian hosts only, as all OpenCL hosts we know
}

std::string number_text(ScalarType scalar, std::span<const std::byte> from) {
  if (scalar == ScalarType::half) return fmt::format("{}", float{load<Half>(from)});
  return with_type(scalar, [&](auto kind) {
    const auto value = load<decltype(kind)>(from);
    if constexpr (sizeof value == 1)
      return fmt::format("{}", int{value});
    else
      return fmt::format("{}", value);
  });
}

Json number_json(ScalarType scalar, std::span<const std::byte> from) {
  if (scalar == ScalarType::half) return json_of(double{load<Half>(from)});
  return with_type(scalar, [&](auto kind) {
    const auto value = load<decltype(kind)>(from);
    if constexpr (std::is_floating_point_v<decltype(kind)>)
      return json_of(value);
    else
      return Json(value);
  });
}

}  // namespace anycl::command
