/// \file  Finding the first error in a compiler's log. Layer 3 (program).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace anycl::detail {

struct BuildMessage {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;  ///< 0: not given
  std::string text;
};

/// The first error that names a place, as clang and the drivers built on it write it: `file:line[:column]: error: text`,
/// or `error: file:line[:column]: text`. Any bytes and any length are fine.
[[nodiscard]] std::optional<BuildMessage> first_error(std::string_view log);

}  // namespace anycl::detail
