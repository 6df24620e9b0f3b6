/// \file  Resolving `#include` by ourselves. Layer 3 (program).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/program/build_options.hpp"
#include "anycl/program/source.hpp"
#include "base/digest.hpp"
#include "program/file_questions.hpp"
#include "program/include_place.hpp"

namespace anycl::detail {

/// What a source is with its includes.
struct ExpandedSource {
  /// One that is part of it: messages show its lines.
  struct File {
    std::string name;
    std::string_view text;
    std::shared_ptr<const std::string> owner;  ///< of `text`; null where that belongs to the program
  };

  std::string text;
  Digest digest{};  ///< of `text`
  std::vector<File> files;
  FileQuestions questions;  ///< what of the text may become a question together with more text
};

/// `main` with each `#include` replaced by the file it names: in the first of `places` that has it, but before those beside
/// the including file. `#line` directives keep messages true to the original files and lines. A file with `#pragma once`
/// goes in once. Directives are found as a compiler finds them, behind comments, joined lines and the other spelling of
/// `#`: the driver never sees an include, so no directive reads a file of the machine. In the place of an include that is
/// nowhere to be found stands an `#error`, which costs nothing in a branch that the compiler skips.
/// \throws InvalidArgument  naming file and line: for an include that names no file, an absolute path, or what a place
///                          refuses to read, or that includes itself; for trigraphs, bytes over 0x7f outside of comments
///                          and literals, zero bytes and open comments, which compilers read in different ways; for
///                          what else asks for files (FileQuestions); for a text of more than 16 MiB or 64 files deep.
[[nodiscard]] ExpandedSource expand(IncludedFile main, std::span<const IncludePlace* const> places);

/// `source` with its includes read: a copy that keeps what it expanded to. Done once for a source object; again while
/// ANYCL_KERNEL_PATH has folders, from which embedded files are read anew. \throws InvalidArgument  as `expand`.
[[nodiscard]] Source with_includes(const Source& source);

/// What the compiler reads ahead of `source`: the definitions, one `#define` line each, sorted by name.
/// \throws InvalidArgument  naming the definition that, with this source, has the compiler look for files.
[[nodiscard]] std::string head_for(const ExpandedSource& source, const BuildOptions& options);

/// One text for the compiler: the definitions, then the source with its includes, which are read if they were not before.
/// \throws InvalidArgument  as above, and for definitions that ask for files.
[[nodiscard]] std::string expand(const Source& source, const BuildOptions& options);

/// Line `number` (from 1) of the file that messages call `file`; empty when there is none. Of a source whose includes were
/// not read, its own lines and those of embedded files.
[[nodiscard]] std::string_view source_line(const Source& source, std::string_view file, std::size_t number);

}  // namespace anycl::detail
