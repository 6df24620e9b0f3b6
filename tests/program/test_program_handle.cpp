// Needs: a driver with compiler
#include "anycl/program/program.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "device/device_record.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;

namespace {

constexpr const char* kTwo =
    "#ifndef FACTOR\n"
    "#define FACTOR 1\n"
    "#endif\n"
    "kernel void first(global int* x) { *x = 7 * FACTOR; }\n"
    "#ifdef THIRD\n"
    "kernel void third(global int* x) { *x = 9; }\n"
    "#endif\n"
    "kernel void second(global int* x, const uint n) { *x = (int)n; }\n";

/// Its code differs from that of other tests: PoCL tells what it has said of the same code before.
std::string warned_source(const std::string& word) {
  return "kernel void warned_" + word + "(global int* x) {\n  *x = 1;\n}\n#warning " + word + "\n";
}

/// Mesa's compiler says nothing of a build that works; Oclgrind's names no file of ours.
bool tells_warnings(const Device& device) {
  return device.platform_alias() != "rusticl" && !device.record().faults.one_thread_only;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a program tells the kernels that the preprocessor leaves", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    const Source source(kTwo, "two.cl");

    CHECK(sorted(Program(rig.context, source).kernel_names(rig.device)) == Names{"first", "second"});
    CHECK(sorted(Program(rig.context, source, {{"THIRD", 1}}).kernel_names(rig.device)) ==
          Names{"first", "second", "third"});
  });
}

TEST_CASE("a program without kernels has none, and is no error", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    const Program program(rig.context, Source("int twice(int x) { return 2 * x; }\n", "none.cl"));

    CHECK(program.kernel_names(rig.device).empty());
  });
}

TEST_CASE("a program's kernel is the one of its source, name and options, and shares the build",
          "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Source source(kTwo, "two.cl");
    const BuildOptions options{{"FACTOR", 6}};
    const Program program(own.context, source, options);
    const Kernel kernel = program.kernel("first");
    Buffer<int> x(own.context, 1);

    launch(own.queue, kernel, 1, x);

    CHECK(to_host(x).front() == 42);
    CHECK(program.kernel_names(rig.device).size() == 2);
    CHECK(kernel.core() == Kernel(own.context, source, "first", options).core());
    CHECK(kernel_cache_statistics(own.context).built == 1);
    CHECK(program.kernel("second").info(rig.device).signature() == "kernel void second(global int* x, uint n)");
  });
}

TEST_CASE("a program is prepared once, however often it is asked", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Program program(own.context, Source(kTwo, "two.cl"));
    CHECK(kernel_cache_statistics(own.context).built == 0);

    const Preparation preparation = program.prepare();
    preparation.wait();
    Program(program).prepare(rig.device).wait();

    CHECK(preparation.is_done());
    CHECK(kernel_cache_statistics(own.context).built == 1);
  });
}

TEST_CASE("a program that does not build throws where it is asked, again and again", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    const Program program(rig.context, Source("kernel void k(global int* x) { *x = no_such_thing; }\n", "bad.cl"));

    CHECK_THROWS_AS(program.prepare().wait(), BuildError);
    CHECK_THROWS_AS(program.kernel_names(rig.device), BuildError);
    CHECK_THROWS_AS(program.messages(rig.device), BuildError);
    CHECK_THROWS_AS(program.binary(rig.device), BuildError);
  });
}

TEST_CASE("the warnings of a build that worked are told, with their lines", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    CHECK(Program(rig.context, Source(kTwo, "two.cl")).messages(rig.device).empty());
    if (!tells_warnings(rig.device)) return;
    const Program program(rig.context, Source(warned_source("told"), "warned.cl"));

    const auto messages = program.messages(rig.device);

    REQUIRE(messages.size() == 1);
    CHECK(messages[0].severity == BuildMessage::Severity::warning);
    CHECK(messages[0].file == "warned.cl");
    CHECK(messages[0].line == 4);
    CHECK(messages[0].text.find("told") != std::string::npos);
    CHECK(messages[0].excerpt.find("\n   ^") != std::string::npos);
  });
}

TEST_CASE("a build tells the same warnings, whether it was made now, in a child or comes from the disk",
          "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    if (!tells_warnings(rig.device)) return;
    const std::string place = GENERATE(as<std::string>{}, "inline", "child");
    const test::Variable where("ANYCL_BUILD", place);
    const test::Folder folder;
    const auto told = [&] {
      test::OwnContext own(rig.device, "on", folder.path());
      const Program program(own.context, Source(warned_source("kept_" + place), "warned.cl"));
      auto messages = program.messages(rig.device);
      flush_kernel_cache(own.context);
      return std::pair(messages, kernel_cache_statistics(own.context).from_disk);
    };

    const auto [first, none] = told();
    const auto [second, loaded] = told();

    CHECK(none == 0);
    CHECK(loaded == 1);
    REQUIRE(first.size() == 1);
    CHECK(first == second);
  });
}

TEST_CASE("a program gives the driver's binary, or says that there is none", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Program program(own.context, Source(kTwo, "two.cl"));

    CHECK(program.binary(rig.device).size() > 100);

    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetProgramInfo = [](cl_program, cl_program_info, size_t, void*, size_t*) -> cl_int {
        return CL_INVALID_VALUE;
      };
    });
    CHECK_THROWS_AS(program.binary(rig.device), Unsupported);
    CHECK_THROWS_AS(program.kernel_names(rig.device), Unsupported);
  });
}

TEST_CASE("a program of a closed context asks no driver", "[program][program_handle]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Program program(own.context, Source(kTwo, "two.cl"));
    program.prepare().wait();

    own.context.close();

    CHECK_THROWS_AS(program.kernel_names(rig.device), Cancelled);
    CHECK_THROWS_AS(program.binary(rig.device), Cancelled);
  });
}

TEST_CASE("a program knows the devices of its context and no other", "[program][program_handle]") {
  const Discovery found = discover();
  const auto devices = found.devices();
  if (devices.size() < 2) ANYCL_SKIP("one device only");
  Context context{std::span(devices).first(1)};
  const Program program(context, Source(kTwo, "two.cl"));

  CHECK_THROWS_AS(program.kernel_names(devices[1]), InvalidArgument);
  CHECK_THROWS_AS(program.prepare(devices[1]), InvalidArgument);
}
