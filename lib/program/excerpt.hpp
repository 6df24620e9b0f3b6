/// \file  Showing a line of source. Layer 3 (program).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/base/build_message.hpp"
#include "anycl/program/source.hpp"

namespace anycl::detail {

/// `line` and below it a caret under byte `column`, from 1; no caret where that is not in the line. Tabs stay, other control
/// characters and bytes that are no UTF-8 are '?'. Of a long line the part about the column is shown.
[[nodiscard]] std::string excerpt(std::string_view line, std::size_t column);

/// Gives each message the line of `source`, or of what that includes, that it is about.
void add_excerpts(std::vector<BuildMessage>& messages, const Source& source);

}  // namespace anycl::detail
