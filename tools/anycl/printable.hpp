/// \file  Texts of others (file names, device names, messages) made safe to print on one line.
#pragma once

#include <string>
#include <string_view>

namespace anycl::command {

/// `text` with control characters, and bytes that are no UTF-8, written as `\n` or `\x1b`: a name cannot break the line or
/// drive the terminal.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace anycl::command
