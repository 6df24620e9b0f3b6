// Needs: a driver with threads
#include "program/kernel_table.hpp"

#include <string>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"

using namespace anycl;

namespace {

constexpr const char* kSource = "kernel void triple(global int* x, uint n) { if (n) x[0] *= 3; }\n";

Kernel numbered(Context& context, int number) {
  return {context, Source(kSource + ("// " + std::to_string(number)), "numbered.cl"), "triple"};
}

int run(test::OwnContext& own, const Kernel& kernel) {
  Buffer<int> x(own.context, std::vector<int>{5});
  launch(own.queue, kernel, 1, x, 1);
  return to_host(x).front();
}

}  // namespace

TEST_CASE("kernels that are equal by value are one", "[program][kernel_table]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    test::OwnContext other(rig.device);
    const BuildOptions options{{"N", 1}};
    const Kernel kernel(own.context, Source(kSource, "a.cl"), "triple", options);

    CHECK(Kernel(own.context, Source(kSource, "a.cl"), "triple", options).core() == kernel.core());
    CHECK(Kernel(own.queue, Source(kSource, "a.cl"), "triple").specialise({{"N", 1}}).core() == kernel.core());
    CHECK(Kernel(own.context, Source(kSource, "a.cl"), "other", options).core() != kernel.core());
    CHECK(Kernel(own.context, Source(kSource, "b.cl"), "triple", options).core() != kernel.core());
    CHECK(Kernel(own.context, Source(kSource, "a.cl"), "triple").core() != kernel.core());
    CHECK(Kernel(other.context, Source(kSource, "a.cl"), "triple", options).core() != kernel.core());
  });
}

TEST_CASE("a kernel made anew for each launch is built once", "[program][kernel_table]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);

    for (int i = 0; i < 5; ++i) CHECK(run(own, numbered(own.context, 0)) == 15);

    CHECK(kernel_cache_statistics(own.context).built == 1);
    CHECK(kernel_cache_statistics(own.context).from_memory == 4);
  });
}

TEST_CASE("a kernel keeps its context", "[program][kernel_table]") {
  test::for_each_device([](test::Rig& rig) {
    std::vector<Kernel> kept;
    {
      test::OwnContext own(rig.device);
      kept.push_back(numbered(own.context, 0));
    }
    CHECK_THROWS_AS(kept.front().prepare(), Cancelled);  // closed, and there
    CHECK(kept.front().name() == "triple");
  });
}

TEST_CASE("of many kernels those in use stay, and the others are bounded", "[program][kernel_table]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const Kernel kept = numbered(own.context, -1);
    CHECK(run(own, kept) == 15);
    const detail::KernelCore* const first = numbered(own.context, 0).core().get();
    CHECK(numbered(own.context, 0).core().get() == first);
    const auto known = [&] { return kernel_cache_statistics(own.context).from_memory; };

    for (int i = 1; i <= 600; ++i) static_cast<void>(numbered(own.context, i));

    const auto before = known();
    CHECK(run(own, kept) == 15);
    CHECK(kernel_cache_statistics(own.context).built == 1);
    static_cast<void>(numbered(own.context, 600));
    CHECK(known() == before + 1);
    static_cast<void>(numbered(own.context, 0));
    CHECK(known() == before + 1);  // it was forgotten
  });
}

TEST_CASE("threads that make one kernel get one", "[program][kernel_table][OCL-095]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    std::vector<std::shared_ptr<detail::KernelCore>> cores(16);
    std::vector<std::thread> threads;
    for (auto& core : cores) threads.emplace_back([&] { core = numbered(own.context, 1).core(); });
    for (auto& thread : threads) thread.join();

    for (const auto& core : cores) CHECK(core == cores.front());
  });
}
