#include "program/argument_check.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "anycl/base/error.hpp"

namespace anycl::detail {
namespace {

using Kind = BoundArgument::Kind;
using Space = Parameter::Space;

std::string_view space_word(Space space) {
  switch (space) {
    case Space::global:
      return "global ";
    case Space::constant:
      return "constant ";
    case Space::local:
      return "local ";
    case Space::value:
    case Space::other:
      break;
  }
  return "";
}

std::string describe(const BoundArgument& argument) {
  switch (argument.kind) {
    case Kind::local:
      return fmt::format("local memory of {} bytes", argument.size_bytes);
    case Kind::resource:
      if (argument.scalar == ScalarType::none) return fmt::format("a buffer of {}-byte elements", argument.size_bytes);
      return fmt::format("a buffer of {}", scalar_word(argument.scalar));
    case Kind::null:
      return "nullptr";
    case Kind::value:
      if (argument.scalar == ScalarType::none) return fmt::format("a struct of {} bytes", argument.size_bytes);
      return fmt::format("a value of type {}", scalar_word(argument.scalar));
  }
  return "an unknown argument";
}

[[noreturn]] void refuse(const BoundArgument& argument, const Parameter& parameter, const std::string& subject,
                         std::size_t index, std::string_view advice) {
  throw InvalidArgument(fmt::format("{}: argument {} '{}' is {}{}, got {}; {}", subject, index, parameter.name,
                                    space_word(parameter.space), parameter.type, describe(argument), advice));
}

/// An integer of any of our types, wide enough to compare: sign apart from magnitude.
struct WideInteger {
  bool negative = false;
  std::uint64_t bits = 0;  ///< two's complement
};

WideInteger read_integer(const BoundArgument& argument) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, argument.data, argument.size_bytes);  // little-endian hosts only, as all OpenCL hosts we know
  if (!is_signed_integer(argument.scalar)) return {false, bits};
  const unsigned shift = static_cast<unsigned>(64 - 8 * argument.size_bytes);
  const auto value = static_cast<std::int64_t>(bits << shift) >> shift;
  return {value < 0, static_cast<std::uint64_t>(value)};
}

bool fits(WideInteger value, ScalarType type) {
  const unsigned bits = static_cast<unsigned>(8 * scalar_size(type));
  if (!is_signed_integer(type)) return !value.negative && (bits == 64 || value.bits >> bits == 0);
  const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) >> (64 - bits);
  return value.negative ? value.bits >= ~limit : value.bits <= limit;
}

void settle_integer(const BoundArgument& argument, const Parameter& parameter, SettableValue& settled,
                    const std::string& subject, std::size_t index) {
  const WideInteger value = read_integer(argument);
  if (!fits(value, parameter.scalar)) {
    const std::string text =
        value.negative ? fmt::format("{}", static_cast<std::int64_t>(value.bits)) : fmt::format("{}", value.bits);
    refuse(argument, parameter, subject, index, fmt::format("{} does not fit", text));
  }
  settled.size_bytes = scalar_size(parameter.scalar);
  std::memcpy(settled.converted.data(), &value.bits, settled.size_bytes);
  settled.data = settled.converted.data();
}

/// Elements of a buffer may be read as anything of the same size and kind; bytes as anything at all.
bool elements_agree(const BoundArgument& argument, const Parameter& parameter) {
  if (argument.scalar == ScalarType::none || parameter.scalar == ScalarType::none) return true;
  const std::size_t given = scalar_size(argument.scalar);
  if (given == 1) return true;
  if (given != scalar_size(parameter.scalar)) return false;
  return parameter.scalar == ScalarType::half || is_integer(argument.scalar) == is_integer(parameter.scalar);
}

}  // namespace

void check_argument(const BoundArgument& argument, const Parameter& parameter, const std::string& subject,
                    std::size_t index) {
  switch (parameter.space) {
    case Space::value:
      if (argument.kind != Kind::value) refuse(argument, parameter, subject, index, "pass a value");
      return;
    case Space::global:
    case Space::constant:
      if (argument.kind == Kind::null) return;
      if (argument.kind != Kind::resource) refuse(argument, parameter, subject, index, "pass a Buffer");
      if (!elements_agree(argument, parameter))
        refuse(argument, parameter, subject, index, "pass a Buffer of that type, or of std::byte");
      return;
    case Space::local:
      if (argument.kind != Kind::local) refuse(argument, parameter, subject, index, "pass anycl::local<T>(count)");
      if (argument.size_bytes == 0) refuse(argument, parameter, subject, index, "pass at least one element");
      return;
    case Space::other:
      refuse(argument, parameter, subject, index, "this kind of parameter is not supported");
  }
}

void settle_value(const BoundArgument& argument, const Parameter& parameter, SettableValue& settled,
                  const std::string& subject, std::size_t index) {
  settled.size_bytes = argument.size_bytes;
  settled.data = argument.data;
  const bool same = parameter.scalar == argument.scalar && argument.scalar != ScalarType::none;
  if (same && argument.scalar != ScalarType::boolean) return;
  if (is_integer(parameter.scalar) && is_integer(argument.scalar))
    return settle_integer(argument, parameter, settled, subject, index);
  // What is left is a type the driver names without resolving it, a vector, or a half: only the size can be compared.
  const bool both_known = parameter.scalar != ScalarType::none && argument.scalar != ScalarType::none;
  const bool half_bits = parameter.scalar == ScalarType::half && argument.scalar == ScalarType::uint16;
  if (both_known && !half_bits) refuse(argument, parameter, subject, index, "pass a value of that type");
  if (parameter.size_bytes != 0 && parameter.size_bytes != argument.size_bytes)
    refuse(argument, parameter, subject, index, fmt::format("pass {} bytes", parameter.size_bytes));
}

}  // namespace anycl::detail
