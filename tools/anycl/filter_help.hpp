/// \file  What the filters do, as help texts show it.
#pragma once

#include <string>

namespace anycl::command {

/// A paragraph that lists every filter with its numbers, formula and exactness.
[[nodiscard]] std::string filter_help();

}  // namespace anycl::command
