/// \file  The file-system calls of this program, one of which can fail.
#pragma once

#include <cstdint>

namespace anycl::test {

/// In an error's place: the process is killed as it makes the call.
inline constexpr int kKilled = -1;

/// From here on calls made by this program's own code are counted, those of shared libraries are not. The `failing`-th
/// gives `error`, or with 0 a short count where there is one; 0 lets all pass.
void count_file_calls(std::uint64_t failing, int error);

[[nodiscard]] std::uint64_t file_calls();
[[nodiscard]] bool file_call_failed();

}  // namespace anycl::test
