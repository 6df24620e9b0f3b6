/// \file  What the fuzz targets share: the function that each defines, and properties that end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// Runs one input. Returns 0; a property that does not hold and an exception that leaves it end the process.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace anycl::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process, as fuzzers expect of a fault, unless `property` holds. `claim` says what would be true.
inline void require(bool property, std::string_view claim) {
  if (property) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(claim.size()), claim.data());
  std::abort();
}

/// What every error text promises: one line, however long or strange the input that it quotes.
inline void require_short_line(std::string_view message) {
  constexpr std::size_t kLongest = 1000;
  require(message.find_first_of("\n\r") == std::string_view::npos, "an error text is one line");
  require(message.size() <= kLongest, "an error text is short");
}

/// Takes what stands before the first `separator` off `text`, and the separator.
inline std::string_view take_field(std::string_view& text, std::string_view separator) {
  const auto end = text.find(separator);
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return field;
}

}  // namespace anycl::fuzz
