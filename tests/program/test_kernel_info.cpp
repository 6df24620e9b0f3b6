// Needs: a driver with compiler
#include "anycl/program/kernel_info.hpp"

#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "device/device_record.hpp"
#include "program/group_plan.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"

using namespace anycl;
using Space = ParameterInfo::Space;

namespace {

constexpr const char* kSource = R"(
kernel void plain(global int* x, constant float* table, local uint* scratch, const uint n) {
  scratch[0] = n;
  x[0] = (int)table[0] + (int)scratch[0];
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void grouped(global int* x) {
  local int tile[8];
  tile[get_local_id(1) * 4 + get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) + get_local_id(1) == 0) x[0] = tile[7];
}
)";

void check_plain(const KernelInfo& info) {
  CHECK(info.name == "plain");
  CHECK(info.parameter_count == 4);
  CHECK(info.max_group_size >= 1);
  CHECK(info.preferred_multiple >= 1);
  CHECK_FALSE(info.required_group.has_value());
  REQUIRE(info.parameters.size() == 4);
  CHECK(info.parameters[0].name == "x");
  CHECK(info.parameters[0].type == "int*");
  CHECK(info.parameters[0].space == Space::global);
  CHECK_FALSE(info.parameters[0].is_const);
  CHECK(info.parameters[1].space == Space::constant);
  CHECK(info.parameters[2].space == Space::local);
  CHECK(info.parameters[3].type == "uint");
  CHECK(info.parameters[3].space == Space::value);
}

void check_grouped(const KernelInfo& info, const Device& device) {
  CHECK(info.required_group == Extents(4, 2, 1));
  CHECK(info.local_bytes <= device.capabilities().local_memory_bytes);
}

}  // namespace

TEST_CASE("a kernel tells what a compiler made of it", "[program][kernel_info]") {
  test::for_each_device([](test::Rig& rig) {
    check_plain(Kernel(rig.context, Source(kSource, "info.cl"), "plain").info(rig.device));
    check_grouped(Kernel(rig.context, Source(kSource, "info.cl"), "grouped").info(rig.device), rig.device);
  });
}

TEST_CASE("a kernel from the disk cache tells the same as one that was just built", "[program][kernel_info]") {
  test::for_each_device([](test::Rig& rig) {
    if (rig.device.record().faults.one_thread_only) return;  // nothing is stored
    const test::Folder folder;
    const auto infos = [&] {
      test::OwnContext own(rig.device, "on", folder.path());
      std::vector<KernelInfo> found;
      for (const char* name : {"plain", "grouped"})
        found.push_back(Kernel(own.context, Source(kSource, "info.cl"), name).info(rig.device));
      flush_kernel_cache(own.context);
      return std::pair(found, kernel_cache_statistics(own.context).from_disk);
    };

    const auto [built, none] = infos();
    const auto [stored, loaded] = infos();

    CHECK(none == 0);
    CHECK(loaded == 1);
    check_plain(stored[0]);
    check_grouped(stored[1], rig.device);
    CHECK(stored[0].signature() == built[0].signature());
    CHECK(stored[1].local_bytes == built[1].local_bytes);
    CHECK(stored[1].preferred_multiple == built[1].preferred_multiple);
  });
}

TEST_CASE("a signature reads as OpenCL C", "[program][kernel_info]") {
  KernelInfo info{.name = "f", .parameter_count = 3};
  info.parameters = {
      {"x", "float*", Space::global, true}, {"n", "uint", Space::value, false}, {"", "int*", Space::local, false}};

  CHECK(info.signature() == "kernel void f(global const float* x, uint n, local int*)");
  CHECK(KernelInfo{.name = "g"}.signature() == "kernel void g()");
  CHECK(KernelInfo{.name = "h", .parameter_count = 2}.signature() == "kernel void h(2 parameters)");
}

TEST_CASE("a suggested local size can be launched with", "[program][kernel_info]") {
  const Source source("kernel void count(global uint* x) { atomic_inc(x); }\n", "count.cl");

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context, source, "count");
    for (const Extents& global : {Extents(1), Extents(1000), Extents(997), Extents(48, 10), Extents(7, 5, 3)}) {
      Buffer<unsigned> x(rig.context, std::vector<unsigned>{0});
      launch(rig.queue, kernel, Range(global, kernel.suggested_local_size(rig.device, global)), x);
      CHECK(to_host(x).front() == global[0] * global[1] * global[2]);
    }
    CHECK(Kernel(rig.context, Source(kSource, "info.cl"), "grouped").suggested_local_size(rig.device, {8, 8, 8}) ==
          Extents(4, 2, 1));
  });
}

TEST_CASE("a suggested group divides the range and suits the device", "[program][kernel_info]") {
  detail::KernelFacts kernel;
  Capabilities device;
  device.max_group_size = 1024;
  device.max_item_sizes = {1024, 1024, 64};
  kernel.max_group_size = 512;
  kernel.preferred_multiple = 32;
  const auto group = [&](const Extents& global) { return detail::suggest_group(global, kernel, device); };

  CHECK(group({1 << 20}) == Extents(256));
  CHECK(group({96}) == Extents(96));
  CHECK(group({1000}) == Extents(250));  // no divisor is a multiple of 32
  CHECK(group({800}) == Extents(160));
  CHECK(group({1009}) == Extents(1));
  CHECK(group({64, 6}) == Extents(64, 3));
  CHECK(group({0, 4}) == Extents(1, 4));
  kernel.max_group_size = 1;
  CHECK(group({64, 64, 64}) == Extents(1, 1, 1));
  kernel.required_group = {8, 2, 1};
  CHECK(group({64, 64}) == Extents(8, 2));
}
