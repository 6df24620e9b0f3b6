// Needs: a driver with threads
#include "anycl/program/preparation.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"

using namespace anycl;

namespace {

constexpr const char* kTriple = "kernel void triple(global int* x, uint n) { if (n) x[0] *= 3; }\n";
constexpr const char* kBroken = "kernel void triple(global int* x, uint n) { undeclared_thing(n; }\n";

std::uint64_t built(const Context& context) { return kernel_cache_statistics(context).built; }

}  // namespace

TEST_CASE("a prepared kernel is built, and a launch builds nothing more", "[program][preparation][OCL-067]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, Source(kTriple, "triple.cl"), "triple");

    const Preparation preparation = kernel.prepare();
    preparation.wait();

    CHECK(preparation.is_done());
    CHECK(preparation.wait_for(std::chrono::nanoseconds(0)));
    CHECK(built(own.context) == 1);
    Buffer<int> x(own.context, std::vector<int>{5});
    launch(own.queue, kernel, 1, x, 1u);
    CHECK(to_host(x).front() == 15);
    CHECK(built(own.context) == 1);
    kernel.prepare().wait();
    CHECK(built(own.context) == 1);
  });
}

TEST_CASE("a launch waits for what is being prepared", "[program][preparation]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, Source(kTriple, "triple.cl"), "triple");
    Buffer<int> x(own.context, std::vector<int>{5});

    static_cast<void>(kernel.prepare(rig.device));
    launch(own.queue, kernel, 1, x, 1u);

    CHECK(to_host(x).front() == 15);
    CHECK(built(own.context) == 1);
  });
}

TEST_CASE("a preparation that fails throws the compiler's error to all who wait", "[program][preparation][OCL-068]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, Source(kBroken, "broken.cl"), "triple");
    std::atomic<int> told{0};

    const Preparation preparation = kernel.prepare();
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i)
      callers.emplace_back([&] {
        try {
          preparation.wait();
        } catch (const BuildError&) {
          ++told;
        }
      });
    for (auto& caller : callers) caller.join();

    CHECK(told == 4);
    CHECK(preparation.is_done());
    CHECK_THROWS_AS(preparation.wait_for(std::chrono::seconds(1)), BuildError);
    CHECK_THROWS_AS(kernel.prepare().wait(), BuildError);
  });
}

TEST_CASE("what is prepared must be there", "[program][preparation]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, Source(kTriple, "triple.cl"), "nothing");

    CHECK_THROWS_AS(kernel.prepare().wait(), InvalidArgument);
  });
}

TEST_CASE("a context that is closed prepares nothing", "[program][preparation]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kernel(own.context, Source(kTriple, "triple.cl"), "triple");
    own.context.close();

    CHECK_THROWS_AS(kernel.prepare(), Cancelled);
  });
}

TEST_CASE("a context may close while kernels are prepared", "[program][preparation]") {
  test::for_each_device([](test::Rig& rig) {
    std::vector<Preparation> preparations;
    {
      test::OwnContext own(rig.device);
      for (int i = 0; i < 8; ++i)
        preparations.push_back(
            Kernel(own.context, Source(kTriple + std::string("// ") + std::to_string(i)), "triple").prepare());
    }
    for (const Preparation& preparation : preparations) {
      CHECK(preparation.is_done());
      try {
        preparation.wait();
      } catch (const Cancelled&) {  // it was not begun
      }
    }
  });
}

TEST_CASE("a default preparation is done", "[program][preparation]") {
  CHECK(Preparation().is_done());
  CHECK_NOTHROW(Preparation().wait());
}

TEST_CASE("warming builds and stores all, and says how far it is", "[program][preparation][OCL-067]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    std::vector<std::size_t> steps;
    {
      test::OwnContext own(rig.device, "on", folder.path());
      const std::vector<Kernel> kernels{{own.context, Source(kTriple, "a.cl"), "triple"},
                                        {own.context, Source(kTriple, "b.cl"), "triple"}};

      warm(kernels, [&](const WarmProgress& progress) {
        CHECK(progress.total == 2);
        CHECK(progress.device == rig.device);
        CHECK(progress.kernel.name() == "triple");
        CHECK(progress.error == nullptr);
        steps.push_back(progress.done);
      });

      CHECK(kernel_cache_statistics(own.context).stored == 2);
    }
    CHECK(steps == std::vector<std::size_t>{1, 2});
    test::OwnContext later(rig.device, "on", folder.path());
    Buffer<int> x(later.context, std::vector<int>{5});
    launch(later.queue, Kernel(later.context, Source(kTriple, "a.cl"), "triple"), 1, x, 1u);
    CHECK(to_host(x).front() == 15);
    CHECK(built(later.context) == 0);
    CHECK(kernel_cache_statistics(later.context).from_disk == 1);
  });
}

TEST_CASE("one kernel that cannot be built stops no other from being warmed", "[program][preparation]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const std::vector<Kernel> kernels{{own.context, Source(kBroken, "a.cl"), "triple"},
                                      {own.context, Source(kTriple, "b.cl"), "triple"}};
    std::vector<bool> failed;

    CHECK_THROWS_AS(warm(kernels, [&](const WarmProgress& progress) { failed.push_back(progress.error != nullptr); }),
                    BuildError);

    CHECK(failed == std::vector<bool>{true, false});
  });
}
