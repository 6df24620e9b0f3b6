#include "support/sanitizer.hpp"

namespace {

bool leaks_are_fine = false;

}  // namespace

/// LeakSanitizer, which may be a library of its own, asks at exit.
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() { return leaks_are_fine ? 1 : 0; }

void anycl::test::look_for_no_leaks() noexcept { leaks_are_fine = true; }
