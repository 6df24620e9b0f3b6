// Needs: a driver with compiler, threads
#include <atomic>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

using namespace anycl;

namespace {

std::atomic<int> builds{0};

test::Faults counting_builds() {
  builds = 0;
  return test::Faults([](detail::EntryPoints& table) {
    table.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                              void(CL_CALLBACK * notify)(cl_program, void*), void* data) -> cl_int {
      ++builds;
      return test::real_driver().clBuildProgram(program, count, devices, options, notify, data);
    };
  });
}

const Source& weighted() {
  static const Source source(
      "#ifndef T\n#define T int\n#endif\n"
      "kernel void k(global T* x) { x[0] = (T)(RADIUS * WEIGHT); }\n",
      "weighted.cl");
  return source;
}

template <class T>
T run(test::OwnContext& own, const Kernel& kernel) {
  Buffer<T> x(own.context, 1);
  launch(own.queue, kernel, 1, x);
  return to_host(x).front();
}

}  // namespace

TEST_CASE("a variant is the kernel with further definitions", "[program][specialise]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, weighted(), "k", {{"WEIGHT", 10}, {"RADIUS", 1}});

    const Kernel wide = kernel.specialise({{"RADIUS", 3}});
    const Kernel real = wide.specialise({{"T", type<float>}, {"WEIGHT", 0.5f}});
    const std::vector<Definition> listed{{"RADIUS", 7}};

    CHECK(run<int>(own, wide) == 30);
    CHECK(run<float>(own, real) == 1.5f);
    CHECK(run<int>(own, kernel.specialise(listed)) == 70);
    CHECK(run<int>(own, kernel) == 10);
    CHECK(wide.name() == "k");
  });
}

TEST_CASE("equal variants are one build, however they were made", "[program][specialise]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const test::Faults faults = counting_builds();
    const Kernel kernel(own.context, weighted(), "k", {{"WEIGHT", 10}});

    CHECK(run<int>(own, kernel.specialise({{"RADIUS", 3}})) == 30);
    CHECK(builds == 1);
    CHECK(run<int>(own, kernel.specialise({{"RADIUS", 3}})) == 30);
    CHECK(run<int>(own, kernel.specialise({{"RADIUS", "9"}}).specialise({{"RADIUS", "3"}})) == 30);
    CHECK(run<int>(own, Kernel(own.context, weighted(), "k", {{"RADIUS", 3}, {"WEIGHT", 10}})) == 30);
    CHECK(run<int>(own, Kernel(own.context, weighted(), "k").specialise({{"WEIGHT", 10}, {"RADIUS", 3}})) == 30);
    CHECK(builds == 1);
    CHECK(run<int>(own, kernel.specialise({{"RADIUS", 4}})) == 40);
    CHECK(builds == 2);
    CHECK(kernel_cache_statistics(own.context).built == 2);
  });
}

TEST_CASE("a variant keeps the options of its kernel", "[program][specialise]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const BuildOptions options = BuildOptions().language({1, 1});
    const Kernel kernel(own.context, "kernel void k(global int* x) { x[0] = __OPENCL_C_VERSION__ + N; }\n", "k",
                        options);

    CHECK(run<int>(own, kernel.specialise({{"N", 5}})) == 115);
  });
}

TEST_CASE("an error of a variant names it", "[program][specialise]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, Source("kernel void k(global int* x) { x[0] = RADIUS; }\n", "r.cl"), "k");
    const std::string device = rig.device.name();
    const auto begin_of_error = [&](const Kernel& variant) {
      try {
        run<int>(own, variant);
      } catch (const BuildError& error) {
        return std::string(error.what()).substr(0, std::string(error.what()).find(" failed with"));
      }
      return std::string("no error");
    };

    CHECK(begin_of_error(kernel) == "build of r.cl for " + device);
    CHECK(begin_of_error(kernel.specialise({{"RADIUS", "no such"}, {"T", type<float>}})) ==
          "build of r.cl with RADIUS=no such, T=float for " + device);
    CHECK(run<int>(own, kernel.specialise({{"RADIUS", 2}})) == 2);  // the others are not spoilt
  });
}

TEST_CASE("long names of variants are cut", "[program][specialise]") {
  Context& context = test::shared_context();
  BuildOptions options;
  for (char name = 'A'; name <= 'L'; ++name) options.define(std::string(1, name), std::string(100, 'v'));
  const Kernel kernel(context, Source("#error no\n", "e.cl"), "k", options);
  Queue queue(context, context.device(0));

  try {
    launch(queue, kernel, 1);
    FAIL("no error");
  } catch (const BuildError& error) {
    const std::string text = error.what();
    CHECK(text.find("e.cl with A=" + std::string(40, 'v') + "..., B=") != std::string::npos);
    CHECK(text.find(", H=" + std::string(40, 'v') + "... and 4 more for ") != std::string::npos);
  }
}

TEST_CASE("bad definitions are refused when the variant is asked for", "[program][specialise]") {
  const Kernel kernel(test::shared_context(), weighted(), "k");

  CHECK_THROWS_WITH(kernel.specialise({{"A B", 3}}), "define 'A B': the name is not an identifier");
  CHECK_THROWS_WITH(kernel.specialise({{"A", "__has_include(<x>)"}}),
                    "define A: __has_include is not supported: it asks for files of the machine");
}

TEST_CASE("a variant outlives its kernel and source", "[program][specialise]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const auto made = [&] {
      return Kernel(own.context, Source("kernel void k(global int* x) { *x = N; }\n"), "k").specialise({{"N", 4}});
    };

    CHECK(run<int>(own, made()) == 4);
  });
}
