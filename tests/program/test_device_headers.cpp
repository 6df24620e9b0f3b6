// Needs: a driver with compiler
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "anycl/anycl.hpp"
#include "reference/philox.hpp"
#include "support/catch.hpp"
#include "support/device_headers.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;

namespace {

using Bits = Vec<std::uint32_t, 4>;
using Size = std::pair<std::size_t, std::size_t>;

/// One work-item that sets out[0] by the header.
constexpr const char* kDraw =
    "#include <anycl/random.clh>\n"
    "kernel void k(global uint4* out) { *out = anycl_philox4x32((uint4)(0), (uint2)(0)); }\n";

/// What a user has in the place of the header.
constexpr const char* kSevens = "uint4 anycl_philox4x32(uint4 a, uint2 b) { return (uint4)(7); }\n";

constexpr Bits kOfZero{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};

Bits drawn(test::Rig& rig, const Source& source) {
  Buffer<Bits> out(rig.context, 1);
  launch(rig.queue, Kernel(rig.context, source, "k"), 1, out);
  return to_host(out).front();
}

/// Simulated work-items cost milliseconds.
std::size_t size_for(const test::Rig& rig, std::size_t size) {
  return rig.device.platform_alias() == "oclgrind" ? std::min<std::size_t>(size, 70) : size;
}

}  // namespace

TEST_CASE("the reference of Philox gives the known answers of Random123", "[program][device_headers]") {
  constexpr std::uint32_t kOnes = 0xffffffff;

  CHECK(test::philox({0, 0, 0, 0}, {0, 0}) == kOfZero);
  CHECK(test::philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}) ==
        Bits{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(test::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Bits{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("sub-groups of no work-item are a build error that says so", "[program][device_headers]") {
  const auto width = GENERATE(0, -1);
  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context, "#include <anycl/sub_group.clh>\nkernel void k(global int* out) { out[0] = 1; }\n",
                        "k", {{"ANYCL_SUB_GROUP_WIDTH", width}});

    CHECK_THROWS_WITH(launch(rig.queue, kernel, 1, Buffer<int>(rig.context, 1)), Contains("must be at least 1"));
  });
}

TEST_CASE("Philox is bitwise that of the host on every device", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) { test::check_philox(rig, size_for(rig, 5000)); });
}

TEST_CASE("atomics of floats lose nothing, and keep the least and the greatest", "[program][device_headers]") {
  const auto size = GENERATE(as<std::size_t>{}, 1, 70, 4099);

  test::for_each_device([&](test::Rig& rig) { test::check_float_atomics(rig, size_for(rig, size)); });
}

TEST_CASE("the least and the greatest tell -0 from 0, and NaN from any number", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "#include <anycl/atomic.clh>\n"
                        "kernel void k(global float* least, global float* greatest, float x) {\n"
                        "  anycl_atomic_min_float_global(least, x); anycl_atomic_max_float_global(greatest, x);\n}\n",
                        "k");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto after = [&](float there, float x) {
      Buffer<float> least(rig.context, std::vector<float>{there});
      Buffer<float> greatest(rig.context, std::vector<float>{there});
      launch(rig.queue, kernel, 1, least, greatest, x);
      return std::pair(to_host(least).front(), to_host(greatest).front());
    };

    CHECK(std::signbit(after(0.0f, -0.0f).first));
    CHECK(std::signbit(after(-0.0f, 0.0f).first));
    CHECK_FALSE(std::signbit(after(-0.0f, 0.0f).second));
    CHECK_FALSE(std::signbit(after(0.0f, -0.0f).second));
    CHECK(after(5, nan) == std::pair(5.0f, 5.0f));
    CHECK(after(nan, 5) == std::pair(5.0f, 5.0f));
    CHECK(std::isnan(after(nan, nan).first));
    CHECK(after(-3, -4) == std::pair(-4.0f, -3.0f));
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(after(-3, -infinity) == std::pair(-infinity, -3.0f));
    CHECK(after(1e-40f, 2e-40f) == std::pair(1e-40f, 2e-40f));
  });
}

TEST_CASE("atomics of 64-bit integers lose nothing, or are Unsupported", "[program][device_headers]") {
  const auto size = GENERATE(as<std::size_t>{}, 1, 70, 1000);

  test::for_each_device([&](test::Rig& rig) { test::check_int64_atomics(rig, size_for(rig, size)); });
}

TEST_CASE("a kernel can ask for 64-bit atomics, and do without", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "#include <anycl/atomic.clh>\n"
                        "kernel void k(global int* out) { *out = ANYCL_HAS_INT64_ATOMICS; }\n",
                        "k");
    Buffer<int> out(rig.context, 1);

    launch(rig.queue, kernel, 1, out);

    CHECK(to_host(out).front() == rig.device.capabilities().has_extension("cl_khr_int64_base_atomics"));
  });
}

TEST_CASE("runs of work-items compute as sub-groups what the host does", "[program][device_headers]") {
  const auto width = GENERATE(1, 5, 16, 1000);
  const auto [x, y] = GENERATE(Size{1, 1}, Size{20, 1}, Size{5, 3});

  test::for_each_device([&, x = x, y = y](test::Rig& rig) {
    const auto seen = test::check_sub_groups(rig, x, y, {{"ANYCL_SUB_GROUP_WIDTH", width}});

    REQUIRE(seen);
    CHECK_FALSE(seen->of_device);
    CHECK(seen->max_size == std::min(x * y, static_cast<std::size_t>(width)));
  });
}

TEST_CASE("sub-groups are the device's own where it and OpenCL C have them, else of 16", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) {
    const auto& facts = rig.device.capabilities();
    const bool own = facts.sub_groups && facts.opencl_c_versions.back() >= Version{2, 0};
    BuildOptions options;
    if (own) options.language(facts.opencl_c_versions.back());

    for (const auto& [x, y] : {Size{20, 1}, Size{5, 3}, Size{64, 2}}) {
      const auto seen = test::check_sub_groups(rig, x, y, options);
      if (!seen) continue;
      CHECK(seen->of_device == own);
      if (!own) CHECK(seen->max_size == std::min<std::size_t>(x * y, 16));
    }
  });
}

TEST_CASE("device headers are found from text, files and other headers", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    std::ofstream(folder.path() / "draw.cl") << "#include \"draw.clh\"\n";
    std::ofstream(folder.path() / "draw.clh") << kDraw;

    CHECK(drawn(rig, kDraw) == kOfZero);
    CHECK(drawn(rig, Source(kDraw, "text", {folder.path().string()})) == kOfZero);
    CHECK(drawn(rig, Source::from_file((folder.path() / "draw.cl").string())) == kOfZero);
    CHECK(drawn(rig, std::string("#include <anycl/random.clh>\n#include <anycl/atomic.clh>\n"
                                 "#include <anycl/sub_group.clh>\n") +
                         kDraw) == kOfZero);
  });
}

TEST_CASE("a user's file of the same name goes before the library's", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    std::filesystem::create_directory(folder.path() / "anycl");
    std::ofstream(folder.path() / "anycl" / "random.clh") << kSevens;

    CHECK(drawn(rig, Source(kDraw, "text", {folder.path().string()})) == Bits{7, 7, 7, 7});
  });
}

TEST_CASE("device headers of embedded sources are replaced by files of ANYCL_KERNEL_PATH",
          "[program][device_headers]") {
  static constexpr EmbeddedFile kFile{"draw.cl", kDraw, {}};
  static constinit const Source kSource(kFile, std::span(&kFile, 1));
  test::for_each_device([](test::Rig& rig) {
    CHECK(drawn(rig, kSource) == kOfZero);

    const test::Folder folder;
    std::filesystem::create_directory(folder.path() / "anycl");
    std::ofstream(folder.path() / "anycl" / "random.clh") << kSevens;
    const test::Variable variable("ANYCL_KERNEL_PATH", folder.path().string());

    CHECK(drawn(rig, kSource) == Bits{7, 7, 7, 7});
  });
}

TEST_CASE("nothing else of the library is open to users' kernels", "[program][device_headers]") {
  test::for_each_device([](test::Rig& rig) {
    const auto builds = [&](const std::string& path) {
      const Kernel kernel(rig.context, "#include <" + path + ">\nkernel void k(global int* out) { *out = 1; }\n", "k");
      try {
        kernel.prepare(rig.device).wait();
      } catch (const BuildError& error) {
        CHECK(std::string(error.what()).find("not ") != std::string::npos);
        return false;
      }
      return true;
    };

    CHECK(builds("anycl/random.clh"));
    CHECK_FALSE(builds("common/reflect.clh"));
    CHECK_FALSE(builds("anycl/../common/reflect.clh"));
    CHECK_FALSE(builds("anycl/missing.clh"));
  });
}
