// Needs: a driver with compiler, threads
#include "program/child_build.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kTriple = "kernel void triple(global int* x, const uint n) { if (n) x[0] *= 3; }\n";

/// A context that builds in processes of their own.
struct ChildBuilds {
  explicit ChildBuilds(const Device& device, const std::string& cache = "off", const std::string& folder = "/nowhere")
      : own(device, cache, folder) {}

  test::Variable place{"ANYCL_BUILD", "child"};
  test::OwnContext own;
};

int triple_five(test::OwnContext& own, const Source& source) {
  Buffer<int> x(own.context, std::vector<int>{5});
  launch(own.queue, Kernel(own.context, source, "triple"), 1, x, 1u);
  return to_host(x).front();
}

}  // namespace

TEST_CASE("a kernel built in a process of its own computes the same", "[program][child_build]") {
  test::for_each_device([](test::Rig& rig) {
    ChildBuilds builds(rig.device);
    const test::LogCapture log;

    CHECK(triple_five(builds.own, Source(kTriple, "triple.cl")) == 15);

    CHECK(log.count(LogLevel::warn, "building kernels in this process") == 0);
    CHECK(kernel_cache_statistics(builds.own.context).built == 1);
  });
}

TEST_CASE("one kernel can be built in a process of its own, and shares its build", "[program][child_build]") {
  const test::Variable no_worker("ANYCL_WORKER", "/nowhere/worker-of-one");
  const test::LogCapture log;
  const auto looked_for_worker = [&] { return log.count(LogLevel::warn, "worker-of-one") != 0; };
  test::for_each_device([&](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const auto run = [&](const BuildOptions& options) {
      Buffer<int> x(own.context, std::vector<int>{5});
      launch(own.queue, Kernel(own.context, Source(kTriple, "triple.cl"), "triple", options), 1, x, 1u);
      return to_host(x).front();
    };

    CHECK(run({}) == 15);
    CHECK(run(BuildOptions().place(BuildPlace::child)) == 15);

    CHECK(kernel_cache_statistics(own.context).built == 1);  // the same program: it was there
  });
  CHECK_FALSE(looked_for_worker());

  test::for_each_device([&](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const BuildOptions options = BuildOptions().place(BuildPlace::child);
    Kernel(own.context, Source(kTriple, "triple.cl"), "triple", options).prepare().wait();
  });
  CHECK(looked_for_worker());
}

TEST_CASE("a kernel built in a process of its own has its signature checked", "[program][child_build]") {
  test::for_each_device([](test::Rig& rig) {
    ChildBuilds builds(rig.device);
    const Kernel kernel(builds.own.context, Source(kTriple, "triple.cl"), "triple");
    Buffer<int> x(builds.own.context, 1);

    CHECK_THROWS_WITH(launch(builds.own.queue, kernel, 1, x, 1.5f), Contains("'n'"));
  });
}

TEST_CASE("what was built in a process of its own is found in the cache", "[program][child_build]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    {
      ChildBuilds builds(rig.device, "on", folder.path());
      CHECK(triple_five(builds.own, Source(kTriple, "triple.cl")) == 15);
      flush_kernel_cache(builds.own.context);
      CHECK(kernel_cache_statistics(builds.own.context).stored == 1);
    }
    test::OwnContext later(rig.device, "on", folder.path());
    CHECK(triple_five(later, Source(kTriple, "triple.cl")) == 15);
    CHECK(kernel_cache_statistics(later.context).from_disk == 1);
  });
}

TEST_CASE("a source that is refused there is refused as it is here", "[program][child_build]") {
  test::for_each_device([](test::Rig& rig) {
    const Source source("kernel void triple(global int* x, const uint n) {\n  *x = undeclared_thing;\n}\n", "bad.cl");
    const auto error_of = [&](test::OwnContext& own) {
      try {
        Kernel(own.context, source, "triple").prepare().wait();
      } catch (const BuildError& error) {
        return error;
      }
      FAIL("the source was built");
      return BuildError("", "", "", "");
    };
    test::OwnContext here(rig.device);
    ChildBuilds there(rig.device);

    const BuildError expected = error_of(here);
    const BuildError error = error_of(there.own);

    CHECK(std::string(error.what()) == expected.what());
    CHECK(error.log() == expected.log());
    CHECK(error.messages() == expected.messages());
    CHECK(error.options() == expected.options());
  });
}

TEST_CASE("a part of a device is built for in a process of its own", "[program][child_build]") {
  test::for_each_device([](test::Rig& rig) {
    const auto& partitioning = rig.device.capabilities().partitioning;
    if (!partitioning || !partitioning->equally) return;
    const test::Variable place("ANYCL_BUILD", "child");
    const auto parts = partition_equally(rig.device, 1);
    test::OwnContext own(parts.front());

    CHECK(triple_five(own, Source(kTriple, "triple.cl")) == 15);
  });
}

TEST_CASE("a kernel is built in a process of its own where there is no place for temporary files",
          "[program][child_build]") {
  const test::Folder folder;
  const test::Variable cache("ANYCL_CACHE", "on");
  const test::Variable cache_folder("ANYCL_CACHE_DIR", folder.path());
  const test::LogCapture log;

  test::for_each_device([&](test::Rig& rig) {
    ChildBuilds builds(rig.device);
    const test::Variable temporary("TMPDIR", folder.file("missing"));
    CHECK(triple_five(builds.own, Source(kTriple, "triple.cl")) == 15);
  });

  CHECK(log.count(LogLevel::warn, "building kernels in this process") == 0);
}

TEST_CASE("without a worker a kernel is built here, with a warning", "[program][child_build]") {
  const test::Variable worker("ANYCL_WORKER", "/nowhere/anycl-worker");
  const test::LogCapture log;

  test::for_each_device([](test::Rig& rig) {
    ChildBuilds builds(rig.device);
    CHECK(triple_five(builds.own, Source(kTriple, "triple.cl")) == 15);
  });

  CHECK(log.count(LogLevel::warn, "building kernels in this process: ") >= 1);  // one text, at most once a minute
}
