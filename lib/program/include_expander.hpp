/// \file  Resolving `#include` by ourselves. Layer 3 (program).
#pragma once

#include <string>
#include <string_view>

#include "anycl/program/build_options.hpp"
#include "anycl/program/source.hpp"

namespace anycl::detail {

/// One text for the compiler: the definitions, then the source with each `#include` replaced by the file it names among
/// `source.files()`, beside the including file or from the root. `#line` directives keep messages true to the original
/// files and lines. A file with `#pragma once` goes in once. Directives are found as a compiler finds them, behind
/// comments, joined lines and the other spelling of `#`: the driver never sees an include, so kernel text cannot reach
/// files of the machine.
/// \throws InvalidArgument  for an include that is not there or includes itself, naming the chain, and for a file with an
///                          open comment at its end.
[[nodiscard]] std::string expand(const Source& source, const BuildOptions& options);

/// Line `number` (from 1) of the file that messages call `file`; empty when there is none.
[[nodiscard]] std::string_view source_line(const Source& source, std::string_view file, std::size_t number);

}  // namespace anycl::detail
