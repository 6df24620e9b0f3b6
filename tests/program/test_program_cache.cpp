// Needs: a driver with threads
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/failing_work.hpp"
#include "support/fake_driver.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

using namespace anycl;

namespace {

/// How often sources were compiled since the last reset, by the driver's count.
std::atomic<int> builds{0};
std::atomic<bool> fail_next{false};

/// Counts builds, makes them slow enough to overlap, and lets one fail on demand.
test::Faults counting_builds() {
  builds = 0;
  fail_next = false;
  return test::Faults([](detail::EntryPoints& table) {
    table.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                              void(CL_CALLBACK * notify)(cl_program, void*), void* data) -> cl_int {
      ++builds;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (fail_next.exchange(false)) return CL_BUILD_PROGRAM_FAILURE;
      return test::real_driver().clBuildProgram(program, count, devices, options, notify, data);
    };
  });
}

template <class Body>
void on_threads(int count, Body&& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

Source numbered(int number) {
  return Source("kernel void k(global int* x) { *x = " + std::to_string(number) + "; }\n", "numbered.cl");
}

}  // namespace

TEST_CASE("threads that want one kernel cause one build and all get it", "[program][program_cache][OCL-095]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext fresh(rig.device);
    const test::Faults faults = counting_builds();
    const Kernel shared(fresh.context, numbered(1), "k");
    std::atomic<int> right{0};

    on_threads(8, [&](int t) {
      // Half through one handle, half through handles of their own.
      const Kernel kernel = t % 2 == 0 ? shared : Kernel(fresh.context, numbered(1), "k");
      Buffer<int> out(fresh.context, 1);
      launch(fresh.queue, kernel, 1, out);
      if (to_host(out).front() == 1) ++right;
    });

    CHECK(right == 8);
    CHECK(builds == 1);
    CHECK(kernel_cache_statistics(fresh.context).built == 1);
  });
}

TEST_CASE("threads that want different kernels build each once", "[program][program_cache][OCL-095]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext fresh(rig.device);
    const test::Faults faults = counting_builds();
    std::atomic<int> right{0};

    on_threads(8, [&](int t) {
      Buffer<int> out(fresh.context, 1);
      launch(fresh.queue, Kernel(fresh.context, numbered(t / 2), "k"), 1, out);
      if (to_host(out).front() == t / 2) ++right;
    });

    CHECK(right == 8);
    CHECK(builds == 4);
  });
}

TEST_CASE("a failing build reaches all that wait for it, and the next try builds anew",
          "[program][program_cache][OCL-068]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext fresh(rig.device);
    const test::Faults faults = counting_builds();
    fail_next = true;
    std::atomic<int> refused{0};
    std::atomic<int> ready{0};

    on_threads(8, [&](int) {
      Buffer<int> out(fresh.context, 1);
      const Kernel kernel(fresh.context, numbered(7), "k");
      ++ready;
      while (ready < 8) std::this_thread::yield();
      try {
        launch(fresh.queue, kernel, 1, out);
      } catch (const BuildError&) {
        ++refused;
      }
    });

    CHECK(refused == 8);
    CHECK(builds == 1);
    Buffer<int> out(fresh.context, 1);
    launch(fresh.queue, Kernel(fresh.context, numbered(7), "k"), 1, out);
    CHECK(to_host(out).front() == 7);
    CHECK(builds == 2);
  });
}

TEST_CASE("equal text is one program, any difference another", "[program][program_cache]") {
  test::for_each_device([](test::Rig& rig) {
    test::OwnContext fresh(rig.device);
    const test::Faults faults = counting_builds();
    BuildOptions defined;
    defined.define("UNUSED");
    Buffer<int> out(fresh.context, 1);
    const auto run = [&](const Source& source, const BuildOptions& options) {
      launch(fresh.queue, Kernel(fresh.context, source, "k", options), 1, out);
    };

    run(numbered(1), {});
    run(numbered(1), {});
    CHECK(builds == 1);
    run(numbered(1), defined);
    CHECK(builds == 2);
    run(numbered(2), {});
    CHECK(builds == 3);
    run(numbered(1), {});
    CHECK(builds == 3);

    const auto statistics = kernel_cache_statistics(fresh.context);
    CHECK(statistics.built == 3);
    CHECK(statistics.from_memory == 2);
    CHECK(statistics.from_disk == 0);
    CHECK(statistics.stored == 0);
    CHECK(statistics.build_ns >= 3 * 100'000'000u);
  });
}

TEST_CASE("an edited include is another program", "[program][program_cache][OCL-082]") {
  static const std::vector<EmbeddedFile> before{{"outer.clh", "#include \"inner.clh\"\n", ""},
                                                {"inner.clh", "constant int value = 1;\n", ""}};
  static const std::vector<EmbeddedFile> after{{"outer.clh", "#include \"inner.clh\"\n", ""},
                                               {"inner.clh", "constant int value = 2;\n", ""}};
  static const EmbeddedFile main{"main.cl", "#include \"outer.clh\"\nkernel void k(global int* x) { *x = value; }\n",
                                 ""};

  test::for_each_device([](test::Rig& rig) {
    Buffer<int> out(rig.context, 1);
    launch(rig.queue, Kernel(rig.context, Source(main, before), "k"), 1, out);
    CHECK(to_host(out).front() == 1);
    launch(rig.queue, Kernel(rig.context, Source(main, after), "k"), 1, out);
    CHECK(to_host(out).front() == 2);
  });
}

TEST_CASE("contexts that come and go leave nothing stale behind", "[program][program_cache][OCL-094]") {
  test::for_each_device([](test::Rig& rig) {
    const test::LogCapture log;
    for (int round = 0; round < 20; ++round) {
      const test::Folder folder;  // so that each context is still storing when it closes
      test::OwnContext own(rig.device, "on", folder.path());
      Buffer<int> out(own.context, 1);
      launch(own.queue, Kernel(own.context, numbered(3), "k"), 1, out);
      if (round % 2 == 0) REQUIRE(to_host(out).front() == 3);
    }
    CAPTURE(log.text());
    CHECK(log.count(LogLevel::warn) == 0);
  });
}

TEST_CASE("equal devices of one context have a build each", "[program][program_cache]") {
  builds = 0;
  detail::EntryPoints two_cards = test::fake_driver();
  two_cards.clGetDeviceIDs = [](cl_platform_id, cl_device_type, cl_uint size, cl_device_id* ids,
                                cl_uint* count) -> cl_int {
    static std::array<char, 2> cards{};
    if (count != nullptr) *count = 2;
    for (cl_uint i = 0; ids != nullptr && i < std::min<cl_uint>(size, 2); ++i)
      ids[i] = reinterpret_cast<cl_device_id>(&cards[i]);
    return CL_SUCCESS;
  };
  two_cards.clBuildProgram = [](cl_program, cl_uint, const cl_device_id*, const char*,
                                void(CL_CALLBACK*)(cl_program, void*), void*) -> cl_int {
    ++builds;
    return CL_SUCCESS;
  };
  const detail::ScopedEntryPoints in_force(two_cards);
  const test::Variable no_disk_cache("ANYCL_CACHE", "off");
  const auto devices = discover().devices();
  REQUIRE(devices.size() == 2);

  Context context(devices);
  const Kernel kernel(context, "kernel void work(global const float* x, global float* y, uint n) {}", "work");
  const Buffer<float> x(context, 16), y(context, 16);
  for (const Device& device : devices) {
    Queue queue(context, device);
    launch(queue, kernel, 16, x, y, 16);
  }

  CHECK(builds == 2);
}

TEST_CASE("of many programs those in use stay, and the others are bounded", "[program][program_cache]") {
  static std::atomic<int> made{0}, released{0};
  made = released = builds = 0;
  detail::EntryPoints counting = test::fake_driver();
  counting.clCreateProgramWithSource = [](cl_context context, cl_uint count, const char** texts, const size_t* sizes,
                                          cl_int* code) -> cl_program {
    ++made;
    return test::fake_driver().clCreateProgramWithSource(context, count, texts, sizes, code);
  };
  counting.clReleaseProgram = [](cl_program program) -> cl_int {
    ++released;
    return test::fake_driver().clReleaseProgram(program);
  };
  const detail::ScopedEntryPoints in_force(counting);
  const test::Variable no_disk_cache("ANYCL_CACHE", "off");
  Context context(discover().devices());
  const auto ready = [&](int number) {
    Kernel kernel(context, "kernel void work(global const float* x, global float* y, uint n) {}", "work",
                  {{"NUMBER", number}});
    kernel.prepare().wait();
    return kernel;
  };
  const Kernel kept = ready(0);
  constexpr int kMost = 1024 + 2;  // 512 kernels, 512 programs

  for (int number = 1; number < 3000; ++number) static_cast<void>(ready(number));

  CHECK(made == 3000);
  CHECK(made - released <= kMost);
  Queue queue(context, context.device(0));
  launch(queue, kept, 16, Buffer<float>(context, 16), Buffer<float>(context, 16), 16).wait();
  CHECK(made == 3000);  // it was held
  static_cast<void>(ready(1));
  CHECK(made == 3001);  // it was forgotten, and is built again
}

TEST_CASE("storing a kernel takes nobody's error away", "[program][program_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder cache;
    test::OwnContext own(rig.device, "on", cache.path());
    const test::FailingWork failing;
    const Kernel kernel(own.context, "kernel void one(global int* x) { x[0] = 1; }", "one");
    const Buffer<int> buffer(own.context, 1);
    test::FailingWork::fail_next_launch(CL_OUT_OF_RESOURCES);
    launch(own.queue, kernel, 1, buffer);
    own.queue.flush();
    flush_kernel_cache(own.context);

    CHECK_THROWS_AS(own.queue.finish(), ClError);
    CHECK(kernel_cache_statistics(own.context).stored == 0);
  });
}

TEST_CASE("a kernel is stored though the driver refuses the first flush", "[program][program_cache]") {
  static std::atomic<int> flushes{0};
  test::for_each_device([](test::Rig& rig) {
    const test::Folder cache;
    const test::LogCapture log;
    flushes = 0;
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clFlush = [](cl_command_queue queue) -> cl_int {
        return flushes++ == 0 ? CL_OUT_OF_RESOURCES : test::real_driver().clFlush(queue);
      };
    });
    test::OwnContext own(rig.device, "on", cache.path());
    const Kernel kernel(own.context, "kernel void one(global int* x) { x[0] = 1; }", "one");
    const Buffer<int> buffer(own.context, 1);

    launch(own.queue, kernel, 1, buffer);
    flush_kernel_cache(own.context);

    CHECK(flushes >= 1);
    CHECK(kernel_cache_statistics(own.context).stored == 1);
    CHECK(log.count(LogLevel::warn) == 0);
  });
}
