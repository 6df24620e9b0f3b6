/// \file  How much a test run tries.
#pragma once

#include <cstdlib>
#include <string>

namespace anycl::test {

/// True in the long run, `./scripts/test --full`: numbers of rounds, seeds and sizes are then those that we promise.
[[nodiscard]] inline bool full_scale() {
  const char* scale = std::getenv("ANYCL_TEST_SCALE");
  return scale != nullptr && std::string(scale) == "full";
}

/// Rounds of a test: `full` is what we promise, `fast` shows that the test itself works.
[[nodiscard]] inline int rounds(int full, int fast) { return full_scale() ? full : fast; }

}  // namespace anycl::test
