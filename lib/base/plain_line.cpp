#include "base/plain_line.hpp"

#include "base/utf8.hpp"

namespace anycl {

std::string plain_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = first_character(text);
    const bool fits = size > 0 && !begins_with_control(text);
    line += fits ? text.substr(0, size) : "?";
    text.remove_prefix(size > 0 ? size : 1);
  }
  return line;
}

}  // namespace anycl
