// Needs: a driver with threads
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

using namespace anycl;

namespace {

constexpr int kThreads = 16;
constexpr int kLaunches = 1000;
constexpr const char* kStore = "kernel void store(global int* x, int at, int value) { x[at] = value; }";

std::atomic<int> made{0};
std::atomic<int> released{0};

}  // namespace

TEST_CASE("one kernel launched from many threads keeps each launch's arguments", "[program][kernel_pool][OCL-169]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, kStore, "store");
    std::vector<int> wrong(kThreads, -1);

    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        Queue queue(rig.context, rig.device);
        Buffer<int> x(rig.context, kLaunches);
        for (int i = 0; i < kLaunches; ++i) launch(queue, kernel, 1, x, i, t * kLaunches + i);
        const auto got = to_host(x);
        wrong[static_cast<std::size_t>(t)] = 0;
        for (int i = 0; i < kLaunches; ++i)
          wrong[static_cast<std::size_t>(t)] += got[static_cast<std::size_t>(i)] != t * kLaunches + i ? 1 : 0;
      });
    for (std::thread& thread : threads) thread.join();

    CHECK(wrong == std::vector<int>(kThreads, 0));
  });
}

TEST_CASE("native kernels are as many as launches at once, and all are released", "[program][kernel_pool]") {
  test::for_each_device([](test::Rig& rig) {
    made = 0;
    released = 0;
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clCreateKernel = [](cl_program program, const char* name, cl_int* code) -> cl_kernel {
        ++made;
        return test::real_driver().clCreateKernel(program, name, code);
      };
      table.clReleaseKernel = [](cl_kernel kernel) -> cl_int {
        ++released;
        return test::real_driver().clReleaseKernel(kernel);
      };
    });
    {
      test::OwnContext own(rig.device);
      const Kernel kernel(own.context, kStore, "store");
      Buffer<int> x(own.context, 1);

      for (int i = 0; i < 100; ++i) launch(own.queue, kernel, 1, x, 0, i);
      CHECK(made == 1);
      CHECK(to_host(x).front() == 99);
    }
    CHECK(released == made);
  });
}
