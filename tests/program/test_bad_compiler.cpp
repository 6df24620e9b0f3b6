// A driver that is fine but for its compiler.
// Needs: no driver
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/sanitizer.hpp"
#include "support/stub.hpp"

using namespace anycl;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kSource = "kernel void triple(global int* x, uint n) { if (n) x[0] *= 3; }\n";

/// Builds a kernel and says how that went.
std::string try_to_build(Queue& queue, Buffer<int>& x, const std::string& source) {
  try {
    launch(queue, Kernel(queue, source, "triple"), 1, x, 1).wait();
    return "built";
  } catch (const BuildError& error) {
    return "BuildError with log '" + error.log() + "'";
  }
}

std::vector<std::string> with_settings(test::StubFolder& drivers, const std::string& settings) {
  drivers.add("odd", settings);
  auto changes = drivers.variables();
  changes.push_back("ANYCL_CACHE=off");
  return changes;
}

}  // namespace

TEST_CASE("builds variants of a kernel, for a process of its own", "[.][child_builds]") {
  Context context;
  Queue queue(context, context.device(0));
  Buffer<int> x(context, std::vector<int>{1});
  for (int i = 0; i < 4; ++i)
    std::cout << i << ": " << try_to_build(queue, x, "// " + std::to_string(i) + "\n" + kSource) << std::endl;
  std::cout << "again: " << try_to_build(queue, x, std::string("// 0\n") + kSource) << std::endl;
}

TEST_CASE("when every build fails each is a BuildError with its log, and the process goes on [OCL-011] [OCL-073]",
          "[program][bad_compiler]") {
  test::StubFolder drivers;

  const auto child = test::run_hidden_test("[child_builds]", with_settings(drivers, "build=fail"));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  for (const char* which : {"0", "1", "2", "3", "again"})
    CHECK_THAT(child.output, Contains(std::string(which) + ": BuildError with log 'error: build=fail'\n"));
}

TEST_CASE("a build that failed is tried again [OCL-068]", "[program][bad_compiler]") {
  test::StubFolder drivers;

  const auto child = test::run_hidden_test("[child_builds]", with_settings(drivers, "build=fail-first:1"));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("0: BuildError") && Contains("1: built\n") && Contains("again: built\n"));
}

TEST_CASE("prepares a kernel, for a process of its own", "[.][child_prepares]") {
  Context context;
  const Kernel kernel(context, Source(kSource), "triple");
  const Preparation preparation = kernel.prepare();
  std::cout << (preparation.is_done() ? "done" : "not done") << " at once" << std::endl;
  try {
    preparation.wait();
    std::cout << "built" << std::endl;
  } catch (const Timeout& error) {
    std::cout << "Timeout: " << error.what() << std::endl;
  }
  try {
    Queue queue(context, context.device(0));
    Buffer<int> x(context, std::vector<int>{1});
    launch(queue, kernel, 1, x, 1).wait();
    std::cout << "launched" << std::endl;
  } catch (const Timeout&) {
    std::cout << "Timeout again" << std::endl;
  }
}

TEST_CASE("a compiler that takes long blocks nobody who does not need it [OCL-067]", "[program][bad_compiler]") {
  test::StubFolder drivers;

  const auto child = test::run_hidden_test("[child_prepares]", with_settings(drivers, "build=slow:2"));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("not done at once\nbuilt\nlaunched\n"));
}

TEST_CASE("a compiler that does not come back is a Timeout, and the process can end [OCL-067] [OCL-070]",
          "[program][bad_compiler]") {
  test::StubFolder drivers;
  auto settings = with_settings(drivers, "build=never");
  settings.insert(settings.end(), {"ANYCL_BUILD_LIMIT=1", "ANYCL_TEARDOWN_LIMIT=1"});

  const auto child = test::run_hidden_test("[child_prepares]", settings);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output,
             Contains("not done at once\nTimeout: build of source for stub device has not ended within 1 s; "
                      "ANYCL_BUILD_LIMIT sets that limit\nTimeout again\n"));
}

TEST_CASE("builds in a process of its own, for a process of its own", "[.][child_builds_in_child]") {
  Context context;
  Queue queue(context, context.device(0));
  Buffer<int> x(context, std::vector<int>{1});
  try {
    launch(queue, Kernel(queue, kSource, "triple"), 1, x, 1).wait();
    std::cout << "built, and gives " << to_host(x).front() << std::endl;
  } catch (const Error& error) {
    std::cout << "error: " << error.what() << std::endl;
  }
}

TEST_CASE("in a process of its own a compiler may crash and hang [OCL-067] [OCL-070] [OCL-071]",
          "[program][bad_compiler]") {
  struct Case {
    const char* build;
    const char* said;
  };
  const auto c = GENERATE(values<Case>({
      {"build=ok", "built, and gives 3\n"},
      {"build=crash", "error: build of source for stub device: the process with the compiler "},
      {"build=crash-optimised", "built, and gives 3\n"},
      {"build=never",
       "error: build of source for stub device has not ended within 2 s; ANYCL_BUILD_LIMIT sets that limit\n"},
  }));
  test::StubFolder drivers;
  auto settings = with_settings(drivers, c.build);
  settings.insert(settings.end(), {"ANYCL_BUILD=child", std::string("ANYCL_BUILD_LIMIT=") +
                                                            (std::string(c.build) == "build=never" ? "2" : "60")});

  const auto child = test::run_hidden_test("[child_builds_in_child]", settings);

  CAPTURE(c.build, child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains(c.said));
  const bool tried_again = child.output.find("trying without the optimiser") != std::string::npos;
  CHECK(tried_again == std::string(c.build).starts_with("build=crash"));
}

TEST_CASE("in a process of its own a compiler gets so much memory and no more [OCL-071]", "[program][bad_compiler]") {
  if (test::kOwnAllocator) ANYCL_SKIP("a sanitizer takes terabytes of addresses, which a limit counts");
  test::StubFolder drivers;
  auto settings = with_settings(drivers, "build=devour");
  settings.insert(settings.end(), {"ANYCL_BUILD=child", "ANYCL_BUILD_MEMORY=256M"});

  const auto child = test::run_hidden_test("[child_builds_in_child]", settings);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output,
             Contains("error: build of source for stub device: the process with the compiler was ended by "
                      "signal 6 (Aborted), saying 'out of memory'"));
}

TEST_CASE("a command whose kernels cannot be built ends with one line and code 1 [OCL-073]",
          "[program][bad_compiler]") {
  const char* command = std::getenv("ANYCL_COMMAND");
  if (command == nullptr) ANYCL_SKIP("ANYCL_COMMAND does not name the anycl command");
  test::StubFolder drivers;
  const test::Folder folder;

  const auto child = test::run_child(command, {"image", "scene", "-o", folder.file("scene.png"), "--size", "16x9"},
                                     with_settings(drivers, "build=fail"));

  CAPTURE(child.output);
  CHECK(child.exit_code == 1);
  CHECK_THAT(child.output,
             Contains("anycl: build of image/scene.cl with INDEX=uint for ") && Contains("(-11): build=fail\n"));
  CHECK(folder.names().empty());
}
