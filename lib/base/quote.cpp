#include "base/quote.hpp"

#include <cstddef>

namespace anycl {

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string quoted = "'";
  for (const char c : text.substr(0, kLongest)) quoted += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > kLongest) quoted += "...";
  return quoted += '\'';
}

}  // namespace anycl
