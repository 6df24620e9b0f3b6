// Sub-devices at work, beside one another and beside the whole.
// Needs: a driver with compiler, threads
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/layer.hpp"
#include "support/variable.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// Runs `body` with each device that can be divided and its parts of one unit each; says so when there is none.
template <class Body>
void for_each_divided(Body&& body) {
  bool any = false;
  for (const Device& whole : discover().devices()) {
    const auto& facts = whole.capabilities();
    if (!facts.partitioning || !facts.partitioning->equally || facts.compute_units < 2) continue;
    INFO(whole.platform_alias());
    body(whole, partition_equally(whole, 1));
    any = true;
  }
  if (!any) ANYCL_SKIP("Unsupported: no device here can be divided");
}

/// Its sub-devices are left to the system; lib/device/quirks.cpp says why.
bool on_pocl(const Device& device) { return device.platform_alias() == "pocl"; }

Uints ascending(std::size_t size) {
  Uints numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  return numbers;
}

/// What contexts store while it lives is for it alone.
struct EmptyCache {
  test::Folder folder;
  test::Variable place{"ANYCL_CACHE_DIR", folder.path().string()};
};

/// Launches on `device` and waits until its build can be found on disk.
KernelCacheStatistics build_on(const Device& device) {
  Context context(std::vector{device});
  Queue queue(context, device);
  Buffer<std::uint32_t> x(context, Uints(100, 1));
  const test::Work work(context);
  launch_advance(queue, work, x, 3, 1);
  REQUIRE(to_host(x) == Uints(100, 4));
  flush_kernel_cache(context);
  return kernel_cache_statistics(context);
}

}  // namespace

TEST_CASE("parts of a device work at the same time, each on its own buffer", "[memory][sub_devices]") {
  for_each_divided([](const Device&, const std::vector<Device>& parts) {
    Context context(parts);
    const test::Work work(context);
    std::vector<Queue> queues;
    std::vector<Buffer<std::uint32_t>> buffers;
    for (const Device& part : parts) {
      queues.emplace_back(context, part);
      buffers.emplace_back(context, ascending(512));
    }

    for (std::size_t i = 0; i < parts.size(); ++i) {
      launch_slow(queues[i], work, buffers[i]);
      queues[i].flush();
    }

    Uints wanted = ascending(512);
    std::transform(wanted.begin(), wanted.end(), wanted.begin(), test::slow_value);
    for (const auto& buffer : buffers) CHECK(to_host(buffer) == wanted);
  });
}

TEST_CASE("a part, its siblings and the whole see one buffer alike", "[memory][sub_devices]") {
  for_each_divided([](const Device& whole, std::vector<Device> devices) {
    devices.insert(devices.begin() + 1, whole);
    Context context(devices);
    devices.clear();  // the context holds what it needs
    const test::Work work(context);
    Buffer<std::uint32_t> x(context, ascending(1000)), y(context, Uints(1000, 5));
    Uints wanted_x = ascending(1000), wanted_y(1000, 5);

    for (int round = 0; round < 3; ++round)
      for (const Device& device : context.devices()) {
        Queue queue(context, device);
        launch_advance(queue, work, x, 3, 1);
        launch_combine(queue, work, x, y, 2);
        fill(queue, x, 7u, 10, 100);
        copy(queue, y, 0, x, 500, 50);
        for (std::size_t i = 0; i < 1000; ++i) {
          wanted_x[i] = wanted_x[i] * 3 + 1;
          wanted_y[i] = wanted_y[i] * 2 + wanted_x[i];
        }
        std::fill_n(wanted_x.begin() + 10, 100, 7u);
        std::copy_n(wanted_y.begin(), 50, wanted_x.begin() + 500);
      }

    CHECK(to_host(x) == wanted_x);
    CHECK(to_host(y) == wanted_y);
  });
}

TEST_CASE("parts and the devices of all other drivers see one buffer alike", "[memory][sub_devices]") {
  for_each_divided([](const Device&, std::vector<Device> devices) {
    for (const Device& other : discover().devices()) devices.push_back(other);
    Context context(devices);
    const test::Work work(context);
    Buffer<std::uint32_t> x(context, ascending(1000));
    Uints wanted = ascending(1000);

    for (const Device& device : context.devices()) {
      Queue queue(context, device);
      launch_advance(queue, work, x, 3, 1);
      for (std::uint32_t& element : wanted) element = element * 3 + 1;
    }

    CHECK(to_host(x) == wanted);
  });
}

TEST_CASE("parts and wholes of several contexts do not get in each other's way", "[memory][sub_devices]") {
  for_each_divided([](const Device& whole, const std::vector<Device>& parts) {
    Context of_whole(std::vector{whole});
    Context of_part(std::vector{parts[0]});
    Context of_both(std::vector{parts[0], whole});
    for (Context* context : {&of_whole, &of_part, &of_both})
      for (const Device& device : context->devices()) {
        Queue queue(*context, device);
        const test::Work work(*context);
        Buffer<std::uint32_t> x(*context, ascending(100));
        launch_advance(queue, work, x, 1, 1);
        CHECK(to_host(x)[99] == 100);
      }
    CHECK_THROWS_AS(Queue(of_part, parts[1]), InvalidArgument);
    CHECK_THROWS_AS(Queue(of_part, whole), InvalidArgument);
  });
}

TEST_CASE("child: a kernel built for one part is there for the others", "[.][sub_devices_cache]") {
  for_each_divided([](const Device& whole, const std::vector<Device>& parts) {
    const EmptyCache cache;
    const auto first = build_on(parts[0]);
    CHECK(first.built == 1);
    CHECK(first.stored == 1);
    std::vector<Device> others{parts[1], whole};
    if (on_pocl(whole)) others.push_back(partition_equally(partition_equally(whole, 2)[0], 1)[0]);
    for (const Device& other : others) CHECK(build_on(other).from_disk == 1);
  });
}

TEST_CASE("child: a kernel built for a part of a part is stored", "[.][sub_devices_nested_cache]") {
  for_each_divided([](const Device& whole, const std::vector<Device>&) {
    if (!on_pocl(whole)) return;
    const EmptyCache cache;
    const Device part = partition_equally(partition_equally(whole, 2)[0], 1)[0];
    CHECK(build_on(part).stored == 1);
    CHECK(build_on(part).from_disk == 1);
  });
}

TEST_CASE("the kernel cache serves parts and wholes alike", "[memory][sub_devices]") {
  const auto* const tag = GENERATE("[sub_devices_cache]", "[sub_devices_nested_cache]");
  const auto result = test::run_hidden_test(tag, {"POCL_MAX_PTHREAD_COUNT=4"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("child: parts with work done on them", "[.][sub_devices_handles]") {
  REQUIRE(test::layer_is_up());
  long left = 0;
  for_each_divided([&](const Device& whole, std::vector<Device> parts) {
    const auto count = static_cast<long>(parts.size());
    CHECK(test::layer_report().sub_devices == left + count);
    {
      Context context(parts);
      const Device kept = parts.back();
      parts.clear();
      Queue queue(context, context.device(0));
      Buffer<std::uint32_t> x(context, Uints(100, 1));
      const test::Work work(context);
      launch_advance(queue, work, x, 3, 1).wait();
      CHECK(to_host(x) == Uints(100, 4));
      CHECK(test::layer_report().sub_devices == left + count);
    }
    left += on_pocl(whole) ? count : 0;
    CHECK(test::layer_report().sub_devices == left);
    CHECK(test::layer_report().live() == 0);
  });
}

TEST_CASE("the driver gets back every part and all that was made for it", "[memory][sub_devices]") {
  const auto devices = discover().devices();
  const bool some_stay = std::any_of(devices.begin(), devices.end(), on_pocl);
  const auto result = test::run_hidden_test(
      "[sub_devices_handles]", test::under_layer(some_stay ? "handles allow=sub-devices; late" : "handles; late"));
  INFO(result.output);
  CHECK(result.exit_code == 0);
}
