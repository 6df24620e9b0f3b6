/// \file  Kernels that give devices something to do whose result is easy to foretell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/memory/buffer.hpp"
#include "anycl/program/kernel.hpp"
#include "anycl/program/launch.hpp"

namespace anycl::test {

/// All arithmetic is modulo 2^32, so host and device agree to the bit. Every kernel guards its range.
inline constexpr const char* kWorkSource = R"(
kernel void advance(global uint* x, uint factor, uint term, uint n) {
    const size_t i = get_global_id(0);
    if (i < n) x[i] = x[i] * factor + term;
}
kernel void combine(global const uint* x, global uint* y, uint factor, uint n) {
    const size_t i = get_global_id(0);
    if (i < n) y[i] = y[i] * factor + x[i];
}
// One work-item runs 20,000 iterations: under every known limit.
kernel void slow(global uint* x, uint n) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
    uint value = x[i];
    for (uint round = 0; round < 20000; ++round) value = value * 1664525u + 1013904223u;
    x[i] = value;
}
)";

struct Work {
  explicit Work(Context& context)
      : advance(context, kWorkSource, "advance"),
        combine(context, kWorkSource, "combine"),
        slow(context, kWorkSource, "slow") {}

  Kernel advance;  ///< x = x * factor + term
  Kernel combine;  ///< y = y * factor + x
  Kernel slow;     ///< `slow_value()` of each element; takes a CPU about 20 us for each
};

/// Enough elements for `Work::slow` to take some tenths of a second on two cores.
inline constexpr std::size_t kSlowSize = 16384;

/// What `Work::slow` makes of one element.
[[nodiscard]] inline std::uint32_t slow_value(std::uint32_t value) {
  for (int round = 0; round < 20000; ++round) value = value * 1664525u + 1013904223u;
  return value;
}

inline Event launch_advance(Queue& queue, const Work& work, Buffer<std::uint32_t>& x, std::uint32_t factor,
                            std::uint32_t term) {
  return launch(queue, work.advance, x.size(), x, factor, term, x.size());
}

inline Event launch_combine(Queue& queue, const Work& work, const Buffer<std::uint32_t>& x, Buffer<std::uint32_t>& y,
                            std::uint32_t factor) {
  return launch(queue, work.combine, y.size(), x, y, factor, y.size());
}

inline Event launch_slow(Queue& queue, const Work& work, Buffer<std::uint32_t>& x) {
  return launch(queue, work.slow, x.size(), x, x.size());
}

}  // namespace anycl::test
