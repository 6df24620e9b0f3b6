/// \file  Building many kernels ahead. Layer 3 (program).
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>

#include "anycl/export.hpp"
#include "anycl/program/kernel.hpp"

namespace anycl {

/// One kernel is ready on one device, or cannot be.
struct WarmProgress {
  std::size_t done;  ///< of `total`, this one included
  std::size_t total;
  const Kernel& kernel;
  const Device& device;
  std::exception_ptr error;  ///< null when it is ready
};

/// Builds all kernels for all devices of their contexts, several at once, and stores them in the disk cache, so that neither
/// this process nor a later one waits for a compiler. Calls `progress` on this thread, in the order of `kernels`. Blocks
/// until all have ended; those that fail stop no other. Any thread.
/// \throws  the first error, at the end; what `progress` throws, at once: what was begun goes on by itself then.
ANYCL_API void warm(std::span<const Kernel> kernels,
                    const std::function<void(const WarmProgress&)>& progress = nullptr);

}  // namespace anycl
