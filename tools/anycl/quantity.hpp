/// \file  Bytes and times as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace anycl::command {

/// "512 B", "1.5 MiB", "23.4 GiB"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// "850 ns", "1.25 ms", "12.5 s"
[[nodiscard]] std::string duration_text(std::uint64_t ns);

}  // namespace anycl::command
