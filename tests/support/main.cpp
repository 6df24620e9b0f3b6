// The main function of every test program.
#define CATCH_CONFIG_RUNNER  // version 2: its own code is compiled here
#include "support/case_results.hpp"
#include "support/catch.hpp"
#include "support/run_end.hpp"

namespace anycl::test {
namespace {

#if __has_include(<catch2/catch_all.hpp>)
using Listener = Catch::EventListenerBase;
const Catch::TestCaseInfo& info_of(const Catch::TestCaseStats& stats) { return *stats.testInfo; }
#else
using Listener = Catch::TestEventListenerBase;
const Catch::TestCaseInfo& info_of(const Catch::TestCaseStats& stats) { return stats.testInfo; }
#endif

/// Notes how tests end that name a case from the field. Hidden ones run in children, for others that name it.
class CaseListener : public Listener {
 public:
  using Listener::Listener;

  void testCaseStarting(const Catch::TestCaseInfo&) override { test_is_skipped = false; }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const Catch::TestCaseInfo& info = info_of(stats);
    if (info.isHidden()) return;
    const bool failed = stats.totals.assertions.failed > 0;
    const TestEnd end = failed ? TestEnd::fail : test_is_skipped ? TestEnd::skip : TestEnd::pass;
    note_case_result(info.lineInfo.file, info.name, info.tagsAsString(), end);
  }
};

}  // namespace
}  // namespace anycl::test

using anycl::test::CaseListener;
CATCH_REGISTER_LISTENER(CaseListener)

int main(int argc, char** argv) {
  const int code = Catch::Session().run(argc, argv);
  anycl::test::end_run();
  return code;
}
