// The main function of every test program.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include "support/run_end.hpp"

int main(int argc, char** argv) {
  const int code = Catch::Session().run(argc, argv);
  anycl::test::end_run();
  return code;
}
