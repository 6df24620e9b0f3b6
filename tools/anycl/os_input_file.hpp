/// \file  Reading a whole file. With os_*.cpp, the only place in `anycl` that talks to the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace anycl::command {

/// The bytes of the regular file at `path`.
/// \throws IoError  when it cannot be read, is not a regular file (a pipe could be endless or block for ever), or has more than
///                  `limit` bytes.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string& path, std::size_t limit);

}  // namespace anycl::command
