/// \file  Files that anybody may have put there. Layer 0 (base).
#pragma once

#include <cstddef>
#include <string>

namespace anycl::os {

/// What a file holds, or why that was not read.
struct FileContent {
  std::string text{};
  std::string problem{};  ///< to follow "it cannot be read: "; empty: all of it is in `text`
  bool odd = false;       ///< it is there, and no regular file of such a size; else the problem may be ours, or pass
};

/// Reads the file at `path`, where links may lead to it. Only a regular file of at most `size_limit` bytes is read: nothing that
/// lies there makes this wait, and nothing else is opened, since that alone can have effects.
[[nodiscard]] FileContent read_regular_file(const std::string& path, std::size_t size_limit);

}  // namespace anycl::os
