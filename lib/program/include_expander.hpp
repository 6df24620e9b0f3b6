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
/// comments, joined lines and the other spelling of `#`: the driver never sees an include, so no directive reads a file
/// of the machine. In the place of an include that is not there stands an `#error`, which costs nothing in a branch that
/// the compiler skips.
/// \throws InvalidArgument  naming file and line: for an include that names no file or includes itself; for trigraphs,
///                          bytes over 0x7f outside of comments and literals, zero bytes and open comments, which
///                          compilers read in different ways; for `__has_include` and its like; for a text of more than
///                          16 MiB or 64 files deep.
[[nodiscard]] std::string expand(const Source& source, const BuildOptions& options);

/// Line `number` (from 1) of the file that messages call `file`; empty when there is none.
[[nodiscard]] std::string_view source_line(const Source& source, std::string_view file, std::size_t number);

}  // namespace anycl::detail
