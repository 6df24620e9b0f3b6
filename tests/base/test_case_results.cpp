// Needs: no driver
#include "support/case_results.hpp"

#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using test::TestEnd;

namespace {

/// Not as one literal, which tests/cases.py would take for a case that this file shows.
std::string case_number(const std::string& number) { return "OCL-" + number; }

}  // namespace

TEST_CASE("a test that names cases is noted under its file, name and driver", "[base][case_results]") {
  const test::Folder folder;
  const test::Variable results("ANYCL_CASE_RESULTS", folder.path());
  const test::Variable driver("ANYCL_TEST_DRIVER", "pocl");
  const std::string one = case_number("001"), two = case_number("002");

  test::note_case_result("/tests/context/test_close.cpp", "it [holds] [" + two + "]", "[a][" + one + "]",
                         TestEnd::pass);
  test::note_case_result("x/plain.cpp", "it fails [" + one + "] in the end", "", TestEnd::fail);
  test::note_case_result("x/plain.cpp", "it names none", "[a]", TestEnd::pass);

  CHECK(test::read_file(folder.file("results")) == one + "\tcontext.close: it [holds]\tpocl\tpass\n" +  //
                                                       two + "\tcontext.close: it [holds]\tpocl\tpass\n" + one +
                                                       "\tx.plain: it fails in the end\tpocl\tfail\n");
}

TEST_CASE("a run notes the tests that name cases, and none that is hidden", "[base][case_results]") {
  const test::Folder folder;
  const std::vector<std::string> noting{"ANYCL_CASE_RESULTS=" + folder.file("new"), "ANYCL_TEST_DRIVER"};

  const auto child = test::run_child("/proc/self/exe", {"[error],[hidden_case]"}, noting);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  const std::string noted = test::read_file(folder.file("new/results"));
  CHECK(noted.find("\tbase.error: every OpenCL code has a name and carries its number\t-\tpass\n") !=
        std::string::npos);
  CHECK(noted.find("hidden") == std::string::npos);
}

TEST_CASE("hidden", "[.][hidden_case]") { test::note_case_result("a/b.cpp", "c", "", TestEnd::pass); }
