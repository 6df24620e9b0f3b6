/// \file  Names for work, made once and kept. Layer 0 (base).
#pragma once

#include <string>
#include <string_view>

namespace anycl {

/// What a piece of work is called in messages. Points to text that lives as long as the process, so that an event costs
/// no copy and no count, and may outlive what it names. There are as many labels as kernel names.
using Label = const std::string*;

[[nodiscard]] Label make_label(std::string_view text);

}  // namespace anycl
