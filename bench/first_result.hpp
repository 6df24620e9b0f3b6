/// \file  What both programs of bench_first_result.py compute.
#pragma once

#include <cstddef>

struct Pair {
  float x, y;
};

inline constexpr std::size_t kItems = 4096;
