/// \file  What `anycl run --arg` says of one argument.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "element_type.hpp"

namespace anycl::command {

struct ArgumentSpec {
  enum class Kind { number, local, null, zeros, iota, random, npy, raw };

  Kind kind = Kind::number;
  std::optional<ElementType> type{};  ///< where it is written; else the kernel's parameter has it
  std::string value{};                ///< the number or numbers; the file
  std::uint64_t size = 0;             ///< elements; bytes of local memory
  std::uint64_t seed = 1;
  std::string output{};  ///< file to save it to; empty: none

  [[nodiscard]] bool is_file() const noexcept { return kind >= Kind::npy; }
  [[nodiscard]] bool is_buffer() const noexcept { return kind >= Kind::zeros; }
};

/// Reads `[TYPE:]NUMBER[,NUMBER]...`, `local:BYTES`, `null`, or a buffer with an optional `@OUT` behind it:
/// `[TYPE:]zeros:N`, `[TYPE:]iota:N`, `[TYPE:]random:N[:SEED]`, `[TYPE:]raw:FILE`, `FILE.npy`.
/// \throws InvalidArgument  for anything else; says what.
[[nodiscard]] ArgumentSpec parse_argument(std::string_view text);

}  // namespace anycl::command
