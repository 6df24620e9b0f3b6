// Needs: a driver with compiler, threads
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"

using namespace anycl;

namespace {

constexpr const char* kBroken =
    "kernel void fine(global int* x) { *x = 1; }\n\n"
    "kernel void broken(global int* x) {\n"
    "\t*x = undeclared_thing;\n"
    "}\n";

/// The error of building `source` for the rig's device.
BuildError build_error(test::Rig& rig, const Source& source, const std::string& kernel = "broken") {
  Buffer<int> out(rig.context, 1);
  try {
    launch(rig.queue, Kernel(rig.context, source, kernel), 1, out);
  } catch (const BuildError& error) {
    return error;
  }
  FAIL("the source was built");
  return {"", "", "", ""};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a build error names source, device, code, place and message, and shows the line", "[program][build_error]") {
  test::for_each_device([](test::Rig& rig) {
    const BuildError error = build_error(rig, Source(kBroken, "blur.cl"));
    const std::string text = error.what();

    CAPTURE(text, error.log());
    CHECK(text.starts_with("build of blur.cl for " + rig.device.name() +
                           " failed with CL_BUILD_PROGRAM_FAILURE (-11): "));
    CHECK(holds(text.substr(0, text.find('\n')), "blur.cl:4:"));
    CHECK(holds(text.substr(0, text.find('\n')), "undeclared_thing"));
    CHECK(holds(text, "\n  \t*x = undeclared_thing;"));
    CHECK(error.source_name() == "blur.cl");
    CHECK(holds(error.log(), "undeclared_thing"));
    CHECK(holds(error.options(), "-cl-kernel-arg-info"));
  });
}

TEST_CASE("the caret stands under the wrong word, behind tabs too", "[program][build_error]") {
  test::for_each_device([](test::Rig& rig) {
    const std::string text = build_error(rig, Source(kBroken, "blur.cl")).what();

    const std::string line = "\n  \t*x = undeclared_thing;\n  \t     ^";
    CAPTURE(text);
    CHECK(text.ends_with(line));
  });
}

TEST_CASE("all messages are there with severity, place and line", "[program][build_error]") {
  const Source source(
      "#warning careful\n"
      "kernel void broken(global int* x) { *x = first_thing; }\n"
      "kernel void other(global int* x) { *x = second_thing; }\n",
      "two.cl");

  test::for_each_device([&](test::Rig& rig) {
    const BuildError error = build_error(rig, source);

    CAPTURE(error.what(), error.log());
    std::vector<std::size_t> errors;
    std::vector<std::size_t> warnings;
    for (const BuildMessage& message : error.messages()) {
      CAPTURE(message.text);
      if (message.severity == BuildMessage::Severity::note) continue;
      CHECK(message.file == "two.cl");
      CHECK(message.column > 0);
      CHECK(holds(message.excerpt, "^"));
      (message.severity == BuildMessage::Severity::error ? errors : warnings).push_back(message.line);
    }
    CHECK(errors == std::vector<std::size_t>{2, 3});
    CHECK(warnings == std::vector<std::size_t>{1});
    CHECK(holds(error.what(), " (and 1 more error)\n"));
  });
}

TEST_CASE("a function without a definition is named", "[program][build_error]") {
  const Source source("int nowhere(int);\nkernel void broken(global int* x) { *x = nowhere(1); }\n", "link.cl");

  test::for_each_device([&](test::Rig& rig) {
    const BuildError error = build_error(rig, source);

    CAPTURE(error.what(), error.log());
    CHECK(holds(error.what(), "function 'nowhere' has no definition"));
  });
}

TEST_CASE("an error in a line of any length has a text of bounded length", "[program][build_error]") {
  const std::string padding(100'000, ' ');
  const Source source("kernel void broken(global int* x) {" + padding + "*x = undeclared_thing;" + padding + "}\n",
                      "long.cl");

  test::for_each_device([&](test::Rig& rig) {
    const BuildError error = build_error(rig, source);

    CHECK(std::string_view(error.what()).size() < 1000);
    CHECK(holds(error.what(), "undeclared_thing;"));
  });
}

TEST_CASE("one broken kernel fails the other kernels of its file too", "[program][build_error]") {
  test::for_each_device(
      [](test::Rig& rig) { CHECK(holds(build_error(rig, Source(kBroken, "both.cl"), "fine").what(), "both.cl:4:")); });
}

TEST_CASE("making a kernel builds nothing; the launch does", "[program][build_error]") {
  test::for_each_device([](test::Rig& rig) {
    const auto before = kernel_cache_statistics(rig.context);

    CHECK_NOTHROW(Kernel(rig.context, Source(kBroken, "lazy.cl"), "broken"));

    CHECK(kernel_cache_statistics(rig.context).built == before.built);
  });
}

TEST_CASE("a kernel that is not in its source is refused with a list of those that are", "[program][build_error]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, Source("kernel void one() {}\nkernel void two() {}\n", "pair.cl"), "three");

    std::string text;
    try {
      launch(rig.queue, kernel, 1);
    } catch (const InvalidArgument& error) {
      text = error.what();
    }

    CAPTURE(text);
    CHECK(holds(text, "kernel 'three' is not in pair.cl; it has: "));
    CHECK(holds(text, "one"));
    CHECK(holds(text, "two"));
  });
}

TEST_CASE("an error gives the same log whatever the disk cache does", "[program][build_error][OCL-059]") {
  const auto mode = GENERATE(as<std::string>{}, "off", "on", "readonly");
  const test::Folder folder;

  test::for_each_device([&](test::Rig& rig) {
    const std::string shared = build_error(rig, Source(kBroken, "log.cl")).log();
    const test::OwnContext first(rig.device, "on", folder.path());  // makes the cache, which readonly needs
    test::OwnContext own(rig.device, mode, folder.path());
    test::Rig alone{own.context, own.queue, rig.device};

    CHECK_FALSE(shared.empty());
    CHECK(build_error(alone, Source(kBroken, "log.cl")).log() == shared);
  });
}

TEST_CASE("a kernel that needs half precision is right or Unsupported, never silently wrong",
          "[program][build_error][OCL-136]") {
  const Source source(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void twice(global half* x) { x[0] = x[0] * (half)2; }\n",
      "half.cl");

  test::for_each_device([&](test::Rig& rig) {
    Buffer<std::uint16_t> x(rig.context, std::vector<std::uint16_t>{0x3E00});  // 1.5
    const Kernel kernel(rig.context, source, "twice");
    CAPTURE(rig.device.capabilities().fp16);
    try {
      launch(rig.queue, kernel, 1, x);
      CHECK(to_host(x).front() == 0x4200);  // 3
    } catch (const Unsupported& error) {
      CHECK_FALSE(rig.device.capabilities().fp16);
      CHECK(holds(error.what(), "build of half.cl for " + rig.device.name() + ": the device lacks cl_khr_fp16: "));
    }
  });
}

TEST_CASE("a kernel that needs double precision is right or Unsupported", "[program][build_error][OCL-145]") {
  const Source source("kernel void twice(global double* x) { x[0] = x[0] * 2; }", "double.cl");

  test::for_each_device([&](test::Rig& rig) {
    Buffer<double> x(rig.context, std::vector<double>{1.5});
    const Kernel kernel(rig.context, source, "twice");
    CAPTURE(rig.device.capabilities().fp64);
    try {
      launch(rig.queue, kernel, 1, x);
      CHECK(to_host(x).front() == 3);
    } catch (const Unsupported& error) {
      CHECK_FALSE(rig.device.capabilities().fp64);
      CHECK(holds(error.what(), "build of double.cl for " + rig.device.name() + ": the device lacks cl_khr_fp64: "));
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
  });
}

TEST_CASE("a kernel that needs sub-groups builds or is Unsupported", "[program][build_error][OCL-152]") {
  const Source source(
      "#ifdef cl_khr_subgroups\n"
      "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
      "#endif\n"
      "kernel void size(global uint* x) { x[0] = get_sub_group_size(); }\n",
      "groups.cl");

  test::for_each_device([&](test::Rig& rig) {
    Buffer<std::uint32_t> x(rig.context, 1);
    const Kernel kernel(rig.context, source, "size");
    try {
      launch(rig.queue, kernel, 1, x);
      CHECK(to_host(x).front() > 0);
    } catch (const Unsupported& error) {
      CHECK_FALSE(rig.device.capabilities().sub_groups.has_value());
      CHECK(holds(error.what(), "the device lacks cl_khr_subgroups: "));
    }
  });
}

TEST_CASE("a failure without a log says what it may be", "[program][build_error][OCL-086]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clBuildProgram = [](cl_program, cl_uint, const cl_device_id*, const char*,
                                void(CL_CALLBACK*)(cl_program, void*), void*) -> cl_int { return CL_INVALID_PROGRAM; };
      table.clGetProgramBuildInfo = [](cl_program, cl_device_id, cl_program_build_info, size_t, void* value,
                                       size_t* size) -> cl_int {
        if (size != nullptr) *size = 1;
        if (value != nullptr) *static_cast<char*>(value) = '\0';
        return CL_SUCCESS;
      };
    });

    const BuildError error = build_error(rig, Source("kernel void k(global int* x) {}", "silent.cl"), "k");

    CHECK(holds(error.what(), "failed with CL_INVALID_PROGRAM (-44): the driver gave no log; a cache folder"));
    CHECK(error.log().empty());
  });
}

TEST_CASE("a log that names no place is shown by its first line", "[program][build_error]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clBuildProgram = [](cl_program, cl_uint, const cl_device_id*, const char*,
                                void(CL_CALLBACK*)(cl_program, void*),
                                void*) -> cl_int { return CL_BUILD_PROGRAM_FAILURE; };
      table.clGetProgramBuildInfo = [](cl_program, cl_device_id, cl_program_build_info, size_t available, void* value,
                                       size_t* size) -> cl_int {
        constexpr char kLog[] = "the compiler is unwell\nsecond line\n";
        if (size != nullptr) *size = sizeof kLog;
        if (value != nullptr && available >= sizeof kLog)
          std::copy(std::begin(kLog), std::end(kLog), static_cast<char*>(value));
        return CL_SUCCESS;
      };
    });

    const std::string text = build_error(rig, Source("kernel void k(global int* x) {}", "unwell.cl"), "k").what();

    CHECK(text.ends_with("failed with CL_BUILD_PROGRAM_FAILURE (-11): the compiler is unwell"));
  });
}
