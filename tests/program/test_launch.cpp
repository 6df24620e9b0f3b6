// Needs: a driver
#include "anycl/program/launch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

using namespace anycl;

namespace {

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

// Each work-item writes its place in the whole range; the first one writes down what it sees of the range.
constexpr const char* kPlaces =
    "kernel void places(global uint* seen, global ulong* sizes) {\n"
    "  const size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * "
    "get_global_id(2));\n"
    "  seen[i] = (uint)i + 1;\n"
    "  if (i == 0) {\n"
    "    for (uint d = 0; d < 3; ++d) { sizes[d] = get_global_size(d); sizes[3 + d] = get_local_size(d); }\n"
    "    sizes[6] = get_work_dim();\n"
    "  }\n"
    "}\n";

constexpr const char* kGuarded =
    "kernel void guarded(global int* x, uint n, global ulong* size) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  if (i == 0) *size = get_global_size(0);\n"
    "  if (i < n) x[i] += 1;\n"
    "}\n";

std::size_t total(const Extents& extents) { return extents[0] * extents[1] * extents[2]; }

/// What a launch says when it refuses; "accepted" when it does not.
template <class... Args>
std::string refusal(test::Rig& rig, const Kernel& kernel, const Range& range, const Args&... args) {
  try {
    launch(rig.queue, kernel, range, args...).wait();
  } catch (const InvalidArgument& error) {
    return error.what();
  } catch (const Error& error) {
    return std::string("not InvalidArgument: ") + error.what();
  }
  return "accepted";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::atomic<int> enqueued{0};

/// Counts launches that reach the driver, and refuses empty ones as drivers of OpenCL 1.2 may.
test::Faults strict_driver() {
  enqueued = 0;
  return test::Faults([](detail::EntryPoints& table) {
    table.clEnqueueNDRangeKernel = [](cl_command_queue a, cl_kernel b, cl_uint dimensions, const size_t* d,
                                      const size_t* global, const size_t* f, cl_uint g, const cl_event* h,
                                      cl_event* i) -> cl_int {
      ++enqueued;
      for (cl_uint n = 0; n < dimensions; ++n)
        if (global[n] == 0) return CL_INVALID_GLOBAL_WORK_SIZE;
      return test::real_driver().clEnqueueNDRangeKernel(a, b, dimensions, d, global, f, g, h, i);
    };
  });
}

}  // namespace

TEST_CASE("a kernel sees exactly the global size asked for, in one to three dimensions", "[program][launch]") {
  const auto extents =
      GENERATE(Extents(1), Extents(2), Extents(7), Extents(63), Extents(64), Extents(65), Extents(1000), Extents(65537),
               Extents(1, 1), Extents(1, 9), Extents(9, 1), Extents(17, 31), Extents(64, 3), Extents(1, 1, 1),
               Extents(2, 3, 5), Extents(1, 1, 13), Extents(7, 1, 11));

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context, kPlaces, "places");
    const std::size_t count = total(extents);
    Buffer<std::uint32_t> seen(rig.context, std::vector<std::uint32_t>(count));
    Buffer<std::uint64_t> sizes(rig.context, 7);

    launch(rig.queue, kernel, extents, seen, sizes);

    std::vector<std::uint32_t> want(count);
    std::iota(want.begin(), want.end(), 1u);
    const auto facts = to_host(sizes);
    CAPTURE(extents[0], extents[1], extents[2]);
    CHECK(to_host(seen) == want);
    for (std::size_t d = 0; d < 3; ++d) CHECK(facts[d] == extents[d]);
    CHECK(facts[6] == extents.dimensions());
  });
}

TEST_CASE("a launch of any shape gives the driver a global size without zeros", "[program][launch][OCL-173]") {
  static std::atomic<int> bad{0};
  bad = enqueued = 0;
  const auto range = GENERATE(Range(12), Range(12).padded(), Range({12}, {4}), Range({10}, {4}).padded(), Range(3, 4),
                              Range({3, 4}, {1, 2}), Range(2, 3, 2), Range({2, 2, 2}, {2, 1, 2}));

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context, kGuarded, "guarded");
    Buffer<int> x(rig.context, std::vector<int>(12));
    Buffer<std::uint64_t> size(rig.context, 1);
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clEnqueueNDRangeKernel = [](cl_command_queue a, cl_kernel b, cl_uint dimensions, const size_t* d,
                                        const size_t* global, const size_t* f, cl_uint g, const cl_event* h,
                                        cl_event* i) -> cl_int {
        ++enqueued;
        if (global == nullptr || dimensions < 1 || dimensions > 3) return ++bad, CL_INVALID_GLOBAL_WORK_SIZE;
        if (std::any_of(global, global + dimensions, [](size_t extent) { return extent == 0; })) ++bad;
        return test::real_driver().clEnqueueNDRangeKernel(a, b, dimensions, d, global, f, g, h, i);
      };
    });

    launch(rig.queue, kernel, range, x, 12, size).wait();
  });

  CHECK(enqueued > 0);
  CHECK(bad == 0);
}

TEST_CASE("a local size that divides is the kernel's local size", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, kPlaces, "places");
    Buffer<std::uint32_t> seen(rig.context, 12 * 6 * 4);
    Buffer<std::uint64_t> sizes(rig.context, 7);

    launch(rig.queue, kernel, Range({12, 6, 4}, {4, 3, 2}), seen, sizes);

    CHECK(to_host(sizes) == std::vector<std::uint64_t>{12, 6, 4, 4, 3, 2, 3});
  });
}

TEST_CASE("an empty range completes in its place and never reaches the driver", "[program][launch][OCL-115][OCL-116]") {
  const auto range =
      GENERATE(Range(0), Range(0, 5), Range(5, 0), Range(0, 0), Range(0, 3, 4), Range(2, 0, 4), Range(2, 3, 0),
               Range(0).padded(), Range({0}, {8}), Range({8, 0}, {4, 1}), Range({0}, {8}).padded());

  test::for_each_device([&](test::Rig& rig) {
    const Kernel add(rig.context, "kernel void add(global int* x) { x[get_global_id(0)] += 1; }", "add");
    Buffer<int> x(rig.context, std::vector<int>(100000));
    const test::Faults faults = strict_driver();

    const Event before = launch(rig.queue, add, 100000, x);
    const Event empty = launch(rig.queue, add, range, x);
    const Event after = launch(rig.queue, add, 100000, x);
    empty.wait();

    // rusticl sets a marker's status a moment before that of the work ahead of it, though the work is done.
    const bool lags = rig.device.platform_alias() == "rusticl";
    CHECK(before.wait_for(std::chrono::milliseconds(lags ? 20 : 0)));
    after.wait();
    CHECK(empty.status() == EventStatus::complete);
    CHECK(enqueued == 2);
    CHECK(to_host(x) == std::vector<int>(100000, 2));
  });
}

TEST_CASE("an empty launch is checked like any other", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, kGuarded, "guarded");
    Buffer<int> x(rig.context, 1);

    CHECK(holds(refusal(rig, kernel, 0, x), "the kernel takes 3 arguments, got 1"));
    CHECK(holds(refusal(rig, kernel, Range({0}, {0}), x, 0u, nullptr), "is zero in dimension 0"));
  });
}

TEST_CASE("a negative size is refused before anything else", "[program][launch]") {
  CHECK_THROWS_WITH(Range(-1), "range: size -1 in dimension 0 is negative");
  CHECK_THROWS_WITH(Range(4, -2), "range: size -2 in dimension 1 is negative");
  CHECK_THROWS_WITH(Extents(1, 1, std::numeric_limits<std::int64_t>::min()),
                    "range: size -9223372036854775808 in dimension 2 is negative");
  CHECK_THROWS_AS(Range({4}, {-4}), InvalidArgument);
}

TEST_CASE("a local size that cannot be is refused with sizes and limit", "[program][launch][OCL-118]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, kGuarded, "guarded");
    Buffer<int> x(rig.context, 64);
    Buffer<std::uint64_t> size(rig.context, 1);
    const auto refused = [&](const Range& range) { return refusal(rig, kernel, range, x, 0, size); };
    const test::Faults faults = strict_driver();

    CHECK(refused(Range({64}, {0})) == "launch guarded: local size {0} is zero in dimension 0");
    CHECK(refused(Range({8, 8}, {4, 0})) == "launch guarded: local size {4, 0} is zero in dimension 1");
    CHECK(refused(Range({64}, {24})) ==
          "launch guarded: local size {24} does not divide global size {64}; if the kernel guards against work-items "
          "past "
          "the end, use Range::padded()");
    CHECK(holds(refused(Range({8, 9}, {4, 4})), "local size {4, 4} does not divide global size {8, 9}"));
    CHECK(refused(Range({8, 8}, {8})) == "launch guarded: local size has 1 dimensions, global size 2");
    CHECK(holds(refused(Range({kHuge}, {kHuge})), "is over the limit: "));
    CHECK(holds(
        refused(Range({std::size_t{1} << 32, std::size_t{1} << 32}, {std::size_t{1} << 32, std::size_t{1} << 32})),
        "is over the limit: "));
    const std::size_t limit = rig.device.capabilities().max_group_size;
    CHECK(holds(refused(Range({2 * limit}, {2 * limit})), "is over the limit: "));
    CHECK(holds(refused(Range(kHuge).padded()), "cannot be rounded up"));
    CHECK(enqueued == 0);
  });
}

TEST_CASE("a padded range is rounded up to whole groups and no further", "[program][launch]") {
  const auto n = GENERATE(1u, 63u, 64u, 65u, 1000u);

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context, kGuarded, "guarded");
    Buffer<int> x(rig.context, std::vector<int>(n));
    Buffer<std::uint64_t> size(rig.context, 1);

    launch(rig.queue, kernel, Range({n}, {16}).padded(), x, n, size);
    CHECK(to_host(size).front() == (n + 15) / 16 * 16);
    launch(rig.queue, kernel, Range(n).padded(), x, n, size);
    CHECK(to_host(size).front() >= n);
    CHECK(to_host(size).front() < n + 64);

    CHECK(to_host(x) == std::vector<int>(n, 2));
  });
}

TEST_CASE("a kernel's required group size is used when none is given and must agree when one is", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel line(rig.context,
                      "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void line(global ulong* local_size) {\n"
                      "  *local_size = get_local_size(0);\n}\n",
                      "line");
    Buffer<std::uint64_t> seen(rig.context, std::vector<std::uint64_t>{0});

    CHECK(refusal(rig, line, 16, seen) == "accepted");
    CHECK(to_host(seen).front() == 8);
    CHECK(refusal(rig, line, Range({16}, {8}), seen) == "accepted");
    CHECK(refusal(rig, line, Range(12).padded(), seen) == "accepted");
    CHECK(refusal(rig, line, 0, seen) == "accepted");
    CHECK(refusal(rig, line, Range({16}, {4}), seen) ==
          "launch line: local size {4} given, but the kernel requires {8, 1, 1}");
    CHECK(holds(refusal(rig, line, 12, seen), "local size {8} does not divide global size {12}"));
  });
}

TEST_CASE("a required group of two dimensions cannot run in one", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel tile(rig.context,
                      "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void tile(global ulong* local_size) {\n"
                      "  *local_size = get_local_size(0) * get_local_size(1);\n}\n",
                      "tile");
    Buffer<std::uint64_t> seen(rig.context, std::vector<std::uint64_t>{0});
    const test::Faults faults = strict_driver();

    CHECK(refusal(rig, tile, 16, seen) ==
          "launch tile: the kernel requires groups of {4, 2, 1}, the range has 1 dimensions");
    CHECK(refusal(rig, tile, Range(16).padded(), seen) ==
          "launch tile: the kernel requires groups of {4, 2, 1}, the range has 1 dimensions");
    CHECK(enqueued == 0);
    CHECK(refusal(rig, tile, Range(8, 4), seen) == "accepted");
    CHECK(to_host(seen).front() == 8);
  });
}

TEST_CASE("local memory over the limit is refused before the driver", "[program][launch][OCL-112]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, "kernel void k(local char* a, local char* b) { a[0] = b[0] = 1; }", "k");
    const std::uint64_t limit = rig.device.capabilities().local_memory_bytes;
    const test::Faults faults = strict_driver();

    CHECK(refusal(rig, kernel, 1, local<char>(limit / 4), local<char>(limit / 4)) == "accepted");
    CHECK(enqueued == 1);
    CHECK(holds(refusal(rig, kernel, 1, local<char>(limit + 1), local<char>(1)), "bytes of local memory needed, "));
    CHECK(holds(refusal(rig, kernel, 1, local<char>(limit), local<char>(limit)), "bytes of local memory needed, "));
    CHECK(holds(refusal(rig, kernel, 1, local<char>(kHuge), local<char>(2)), "bytes of local memory needed, "));
    CHECK(holds(refusal(rig, kernel, 1, local<char>(kHuge / 2 + 1), local<char>(kHuge / 2 + 1)),
                "bytes of local memory"));
    CHECK(
        holds(refusal(rig, kernel, 1, local<double>(kHuge / 8 + 2), local<char>(1)), "bytes of local memory needed, "));
    CHECK(enqueued == 1);
  });
}

TEST_CASE("a kernel whose own local memory is over the limit is refused", "[program][launch][OCL-112]") {
  test::for_each_device([](test::Rig& rig) {
    BuildOptions options;
    options.define("SIZE", rig.device.capabilities().local_memory_bytes + 4);
    const Kernel kernel(rig.context,
                        "kernel void k(global char* out) {\n"
                        "  local char big[SIZE];\n"
                        "  for (uint i = get_local_id(0); i < SIZE; i += get_local_size(0)) big[i] = (char)i;\n"
                        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  *out = big[*out];\n}\n",
                        "k", options);
    Buffer<char> out(rig.context, std::vector<char>{0});
    const test::Faults faults = strict_driver();

    CHECK_THROWS_AS(launch(rig.queue, kernel, 1, out), Error);  // some compilers refuse it already

    CHECK(enqueued == 0);
  });
}

TEST_CASE("a device that allows groups of one work-item only still runs everything", "[program][launch][OCL-109]") {
  static std::array<size_t, 3> item_limits{};
  item_limits = GENERATE(std::array<size_t, 3>{1, 1, 1}, std::array<size_t, 3>{1024, 1, 1});
  static_cast<void>(test::shared_context());
  const test::Faults faults([](detail::EntryPoints& table) {
    table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value,
                               size_t* size_ret) -> cl_int {
      if (what != CL_DEVICE_MAX_WORK_ITEM_SIZES)
        return test::real_driver().clGetDeviceInfo(id, what, size, value, size_ret);
      if (size_ret != nullptr) *size_ret = sizeof item_limits;
      if (value != nullptr && size >= sizeof item_limits) std::memcpy(value, item_limits.data(), sizeof item_limits);
      return CL_SUCCESS;
    };
  });

  for (const Device& device : discover().devices()) {
    Context context{std::vector<Device>{device}};
    Queue queue(context, device);
    test::Rig rig{context, queue, device};
    const Kernel kernel(context, kGuarded, "guarded");
    Buffer<int> x(context, std::vector<int>(100));
    Buffer<std::uint64_t> size(context, 1);

    CHECK(refusal(rig, kernel, Range(100), x, 100, size) == "accepted");
    CHECK(refusal(rig, kernel, Range(100).padded(), x, 100, size) == "accepted");
    CHECK(holds(refusal(rig, kernel, Range({10, 10}, {1, 2}), x, 0, size), "is over the limit: "));
    CHECK(holds(refusal(rig, kernel, Range({10}, {2}), x, 0, size),
                item_limits[0] == 1 ? "1 in dimension 0" : "accepted"));
    CHECK(to_host(x) == std::vector<int>(100, 2));
  }
}

TEST_CASE("a queue of another context is refused", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    Context other{std::vector<Device>{rig.device}};
    const Kernel kernel(other, kGuarded, "guarded");

    CHECK(refusal(rig, kernel, 1) == "launch guarded: queue and kernel belong to different contexts");
  });
}

TEST_CASE("what the driver refuses is thrown with launch, device and code", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, kGuarded, "guarded");
    Buffer<int> x(rig.context, std::vector<int>{3});
    Buffer<std::uint64_t> size(rig.context, 1);
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clEnqueueNDRangeKernel = [](cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*,
                                          const size_t*, cl_uint, const cl_event*,
                                          cl_event*) -> cl_int { return CL_OUT_OF_RESOURCES; };
      });

      CHECK_THROWS_WITH(launch(rig.queue, kernel, 1, x, 1, size),
                        "launch guarded on " + rig.device.name() + ": enqueue failed: CL_OUT_OF_RESOURCES (-5)");
    }
    CHECK(to_host(x).front() == 3);
    launch(rig.queue, kernel, 1, x, 1, size);
    CHECK(to_host(x).front() == 4);
  });
}

TEST_CASE("a buffer that was moved from is refused with its place", "[program][launch]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, "kernel void pair(global int* a, global int* b) { *a = *b = 1; }", "pair");
    Buffer<int> first(rig.context, 1), second(rig.context, 1);
    const Buffer<int> taken = std::move(second);

    CHECK(holds(refusal(rig, kernel, 1, first, second),
                "pair: argument 1 is a buffer that was moved from"));  // NOLINT(bugprone-use-after-move)
  });
}
