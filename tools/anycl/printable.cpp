#include "printable.hpp"

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace anycl::command {

std::string printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = first_character(text);
    const std::string_view next = text.substr(0, size > 0 ? size : 1);
    if (next == "\n")
      line += "\\n";
    else if (size == 0 || begins_with_control(next))
      for (const char c : next) line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      line += next;
    text.remove_prefix(next.size());
  }
  return line;
}

}  // namespace anycl::command
