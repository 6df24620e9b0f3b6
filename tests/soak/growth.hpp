/// \file  What a process holds more after some work than before it.
#pragma once

#include <cstddef>
#include <functional>

#include "support/process.hpp"

namespace anycl::test {

struct Growth {
  std::ptrdiff_t resident_bytes = 0;
  std::ptrdiff_t files = 0;
  std::ptrdiff_t threads = 0;
};

/// Growth over `count` calls of `round`, after half as many that let pools and caches fill.
[[nodiscard]] inline Growth growth_over(int count, const std::function<void()>& round) {
  for (int i = 0; i < count / 2; ++i) round();
  const std::size_t bytes = resident_bytes();
  const std::ptrdiff_t files = open_files();
  const std::ptrdiff_t threads = running_threads();

  for (int i = 0; i < count; ++i) round();

  return {static_cast<std::ptrdiff_t>(resident_bytes()) - static_cast<std::ptrdiff_t>(bytes), open_files() - files,
          running_threads() - threads};
}

}  // namespace anycl::test
