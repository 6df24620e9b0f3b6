/// \file  What the kernel caches did. Layer 3 (program).
#pragma once

#include <cstdint>

#include "anycl/context/context.hpp"
#include "anycl/export.hpp"

namespace anycl {

struct KernelCacheStatistics {
  std::uint64_t built = 0;        ///< programs compiled from source
  std::uint64_t from_disk = 0;    ///< programs taken from the disk cache
  std::uint64_t from_memory = 0;  ///< times a kernel or its program was known in this context
  std::uint64_t bad_entries = 0;  ///< disk entries that were damaged or that the driver refused
  std::uint64_t stored = 0;       ///< programs written to the disk cache
  std::uint64_t build_ns = 0;     ///< time spent compiling, or loading binaries
};

/// Counts since the context was made. Any thread.
[[nodiscard]] ANYCL_API KernelCacheStatistics kernel_cache_statistics(const Context& context);

/// Blocks until the programs that have been built so far are in the disk cache, or could not be stored. Some drivers have
/// compiled all of a program only when it was launched: one that was not is stored as it is, and again after its launch.
/// Without this call a library thread stores programs by and by, after their first launch; what is not stored when the
/// context closes is skipped.
ANYCL_API void flush_kernel_cache(Context& context);

}  // namespace anycl
