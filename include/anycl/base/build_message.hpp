/// \file  What a compiler says of a source. Layer 0 (base).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace anycl {

/// One thing that a device's compiler says, whatever the driver's wording of it.
struct BuildMessage {
  enum class Severity : std::uint8_t { note, warning, error };

  Severity severity = Severity::error;
  std::string file{};      ///< as sources and `#include` lines name it; empty when the compiler names no place
  std::size_t line = 0;    ///< from 1; 0 without a place
  std::size_t column = 0;  ///< from 1, in bytes; 0: not given
  std::string text{};      ///< one line
  std::string excerpt{};   ///< the line of the source and a caret below it; empty when the place is not in the source

  friend bool operator==(const BuildMessage&, const BuildMessage&) = default;
};

}  // namespace anycl
