/// \file  Showing a line of source. Layer 3 (program).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace anycl::detail {

/// `line` and below it a caret under byte `column`, from 1; no caret where that is not in the line. Tabs stay, other control
/// characters and bytes that are no UTF-8 are '?'. Of a long line the part about the column is shown.
[[nodiscard]] std::string excerpt(std::string_view line, std::size_t column);

}  // namespace anycl::detail
