/// \file  Types of elements: OpenCL C's names for them, and their values in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "anycl/program/scalar.hpp"
#include "json_document.hpp"

namespace anycl::command {

/// A number or a vector of numbers.
using detail::ElementType;

/// "float", "uint4", "unsigned int"; nothing for other words.
[[nodiscard]] std::optional<ElementType> element_type(std::string_view word);

/// What a pointer of this type points to: "float" for "float*".
[[nodiscard]] std::optional<ElementType> pointee_type(std::string_view pointer);

[[nodiscard]] std::string to_string(ElementType type);
[[nodiscard]] std::size_t scalar_bytes(detail::ScalarType scalar);
[[nodiscard]] inline std::size_t element_bytes(ElementType type) {
  return scalar_bytes(type.scalar) * detail::room_of(type.lanes);
}
[[nodiscard]] bool is_floating(detail::ScalarType scalar);

enum class NumberText { fits, out_of_range, no_number };

/// Writes the number that `text` says to the first bytes of `to` when it is one of that type: integers fit exactly, floating ones
/// are rounded; there is no text of a half.
[[nodiscard]] NumberText write_number(std::string_view text, detail::ScalarType scalar, std::span<std::byte> to);

/// "-128 to 127"; for floating-point numbers the smallest and the largest, ahead of their sign. Not for half.
[[nodiscard]] std::string range_text(detail::ScalarType scalar);

/// Writes `value`, of the low bits of which an integer type takes as many as it has. Not for half.
void write_value(double value, detail::ScalarType scalar, std::span<std::byte> to);
void write_bits(std::uint64_t bits, detail::ScalarType scalar, std::span<std::byte> to);

/// The number in the first bytes of `from`. In JSON, which has no numbers for them: "nan", "inf" and "-inf".
[[nodiscard]] std::string number_text(detail::ScalarType scalar, std::span<const std::byte> from);
[[nodiscard]] Json number_json(detail::ScalarType scalar, std::span<const std::byte> from);

}  // namespace anycl::command
