/// \file  The texts of drivers, made safe. Layer 0 (base).
#pragma once

#include <string>
#include <string_view>

namespace anycl {

/// `text` in valid UTF-8 and without control characters, those of C1 too: it stays on its line and cannot drive a terminal.
/// Each byte that does not fit is a '?'.
[[nodiscard]] std::string plain_line(std::string_view text);

}  // namespace anycl
