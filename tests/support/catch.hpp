/// \file  The one place that knows which Catch2 is installed: version 2 (Debian 12) or 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <iostream>
#include <string>

namespace anycl::test {
/// Whether the test case that runs has met ANYCL_SKIP.
inline bool test_is_skipped = false;
}  // namespace anycl::test

/// Ends this test case as skipped; `reason` is a string. Use it in the body of a TEST_CASE or SECTION, not in a
/// function called from there: Catch2 2 has no skip, so there it prints the reason and returns.
#ifdef SKIP
#define ANYCL_SKIP(reason)               \
  do {                                   \
    anycl::test::test_is_skipped = true; \
    SKIP(reason);                        \
  } while (false)
#else
#define ANYCL_SKIP(reason)                                        \
  do {                                                            \
    anycl::test::test_is_skipped = true;                          \
    std::cout << "skipped: " << std::string(reason) << std::endl; \
    SUCCEED("skipped");                                           \
    return;                                                       \
  } while (false)
#endif
