/// \file  The header of NumPy's array files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "anycl/program/scalar.hpp"

namespace anycl::command {

/// What a .npy file says of its array. Source: numpy.lib.format, versions 1.0 and 2.0.
struct NpyHeader {
  detail::ScalarType scalar = detail::ScalarType::none;
  std::vector<std::size_t> shape;  ///< empty: one number
  std::size_t count = 1;           ///< numbers in all
  std::size_t data_offset = 0;     ///< where they begin in the file
};

/// Reads the header of a whole file, whatever the bytes. Only what a kernel can be given is read: numbers in little-endian and C
/// order, as many as the shape says and no byte more.
/// \throws InvalidArgument  for anything else; says what.
[[nodiscard]] NpyHeader parse_npy(std::span<const std::uint8_t> file);

/// What stands ahead of the numbers, version 1.0.
[[nodiscard]] std::string npy_header(detail::ScalarType scalar, std::span<const std::size_t> shape);

}  // namespace anycl::command
