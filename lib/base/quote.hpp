/// \file  The caller's text inside our messages. Layer 0 (base).
#pragma once

#include <string>
#include <string_view>

namespace anycl {

/// `text` in quotes, cut to a length fit for one line; bytes that are no plain ASCII, line ends too, become '?'.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace anycl
