/// \file  What a test program does after its last test and before its process ends.
#pragma once

namespace anycl::test {

/// Has `function` called when all tests of this run are done; in reverse order of these calls.
void at_run_end(void (*function)());

/// Calls them: for main().
void end_run();

}  // namespace anycl::test
