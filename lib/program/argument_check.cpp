#include "program/argument_check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

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

/// Or a type that is known by its name alone.
bool is_struct(ElementType type) { return type.scalar == ScalarType::none; }

std::string describe(const BoundArgument& argument) {
  switch (argument.kind) {
    case Kind::local:
      return fmt::format("local memory of {} bytes", argument.size_bytes);
    case Kind::resource:
      if (is_struct(argument.type)) return fmt::format("a buffer of {}-byte elements", argument.size_bytes);
      return fmt::format("a buffer of {}", type_word(argument.type));
    case Kind::null:
      return "nullptr";
    case Kind::value:
      if (is_struct(argument.type)) return fmt::format("a struct of {} bytes", argument.size_bytes);
      return fmt::format("a value of type {}", type_word(argument.type));
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
  if (!is_signed_integer(argument.type.scalar)) return {false, bits};
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
  const ScalarType wanted = parameter.element.scalar;
  if (!fits(value, wanted)) {
    const std::string text =
        value.negative ? fmt::format("{}", static_cast<std::int64_t>(value.bits)) : fmt::format("{}", value.bits);
    refuse(argument, parameter, subject, index, fmt::format("{} does not fit", text));
  }
  settled.size_bytes = scalar_size(wanted);
  std::memcpy(settled.converted.data(), &value.bits, settled.size_bytes);
  settled.data = settled.converted.data();
}

/// Numbers may be taken in runs of another length, since they lie in a row, but for those in threes: each of these has a gap
/// behind it.
bool lanes_agree(std::uint8_t given, std::uint8_t wanted) {
  return given == 1 || room_of(given) == room_of(wanted) || (wanted == 1 && given != 3);
}

/// Elements of a buffer may be read as anything of the same size and kind; bytes as anything at all.
bool elements_agree(ElementType given, ElementType wanted) {
  if (is_struct(given) || is_struct(wanted)) return true;
  const std::size_t size = scalar_size(given.scalar);
  if (size == 1 && given.lanes == 1) return true;
  if (size != scalar_size(wanted.scalar) || !lanes_agree(given.lanes, wanted.lanes)) return false;
  const bool half = given.scalar == ScalarType::half || wanted.scalar == ScalarType::half;
  return half || is_integer(given.scalar) == is_integer(wanted.scalar);
}

/// Structs of such numbers serve as vectors of them.
bool consists_of(const StructDescription& structure, ElementType vector) {
  if (vector.lanes == 1) return false;
  const std::span members(structure.members, structure.member_count);
  return std::all_of(members.begin(), members.end(), [&](const MemberDescription& member) {
    return member.structure == nullptr && member.type.scalar == vector.scalar;
  });
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
      if (!elements_agree(argument.type, parameter.element))
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
  const ElementType given = argument.type;
  const ElementType wanted = parameter.element;
  if (is_struct(given) || is_struct(wanted)) {  // or a type that the driver names without resolving it
    if (parameter.size_bytes != 0 && parameter.size_bytes != argument.size_bytes)
      refuse(argument, parameter, subject, index, fmt::format("pass {} bytes", parameter.size_bytes));
    if (argument.structure != nullptr && !is_struct(wanted) && !consists_of(*argument.structure, wanted))
      refuse(argument, parameter, subject, index, "pass a value of that type");
    if (!is_struct(given) && parameter.type.starts_with("struct "))
      refuse(argument, parameter, subject, index, "pass a struct that ANYCL_DESCRIBE describes");
    return;
  }
  if (given == wanted && given.scalar != ScalarType::boolean) return;
  const bool both_numbers = given.lanes == 1 && wanted.lanes == 1;
  if (both_numbers && is_integer(wanted.scalar) && is_integer(given.scalar))
    return settle_integer(argument, parameter, settled, subject, index);
  const bool half_bits = wanted.scalar == ScalarType::half && given.scalar == ScalarType::uint16;
  if (given.lanes != wanted.lanes || !half_bits)
    refuse(argument, parameter, subject, index, "pass a value of that type");
}

void refuse_size(const BoundArgument& argument, const Parameter& parameter, const std::string& subject,
                 std::size_t index) {
  refuse(argument, parameter, subject, index,
         fmt::format("the driver says that this type has another size than {} bytes", argument.size_bytes));
}

}  // namespace anycl::detail
