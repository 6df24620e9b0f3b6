// Needs: a driver with compiler
#include "program/struct_layouts.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

using namespace anycl;
using detail::LayoutQuery;
using detail::struct_description;

namespace {

enum class Mode : std::uint16_t { fast = 1, exact = 2 };

struct Inner {
  std::uint8_t tag;
  double weight;
  std::int16_t table[3];
};
ANYCL_DESCRIBE(Inner, tag, weight, table);

struct Everything {
  char letter;
  std::int64_t big;
  Mode mode;
  Half half;
  Vec<float, 4> four;
  std::uint8_t bytes[5];
  Inner inner[2];
  Vec<std::int16_t, 2> grid[2][3];
  float last;
};
ANYCL_DESCRIBE(Everything, letter, big, mode, half, four, bytes, inner, grid, last);

struct Settings {
  std::int32_t count;
  float factor[2];
  char letter;
};
ANYCL_DESCRIBE(Settings, count, factor, letter);

#pragma pack(push, 1)
struct Packed {
  char letter;
  std::int32_t number;
};
#pragma pack(pop)
ANYCL_DESCRIBE(Packed, letter, number);

struct Shifted {
  std::int32_t first;
  alignas(16) std::int32_t second;
};
ANYCL_DESCRIBE(Shifted, first, second);

struct Forgotten {
  std::int32_t first;
  std::int32_t second;
};
ANYCL_DESCRIBE(Forgotten, first);

struct Holder {
  std::int32_t number;
  Packed packed;
};
ANYCL_DESCRIBE(Holder, number, packed);

struct Undescribed {
  std::int32_t a;
  char b;
};

std::string refusal(const std::function<Event()>& work) {
  try {
    work().wait();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* kAdvice = "; describe all members, and let the host neither pack nor align them otherwise";

constexpr const char* kTypes =
    "typedef struct { int count; float factor[2]; char letter; } settings_t;\n"
    "typedef struct { char letter; int number; } packed_t;\n"
    "typedef struct { int first; int second; } shifted_t;\n"
    "typedef struct { int number; packed_t packed; } holder_t;\n";

Kernel kernel_of(test::Rig& rig, const std::string& type) {
  return Kernel(rig.context, std::string(kTypes) + "kernel void k(global int* out, " + type + " s) { *out = 1; }", "k");
}

}  // namespace

TEST_CASE("a description has names, places and types of all members", "[program][struct_layouts]") {
  constexpr const detail::StructDescription& described = struct_description<Everything>;

  CHECK(described.name == "Everything");
  CHECK(described.size_bytes == sizeof(Everything));
  REQUIRE(described.member_count == 9);
  CHECK(described.members[1].offset == 8);
  CHECK(described.members[2].type == detail::ElementType{detail::ScalarType::uint16, 1});
  CHECK(described.members[4].type == detail::ElementType{detail::ScalarType::float32, 4});
  CHECK(described.members[5].size == 5);
  CHECK(described.members[6].structure == &struct_description<Inner>);
  CHECK(described.members[7].size == 6);
  CHECK(described.members[8].name == "last");
  CHECK(described.fingerprint != struct_description<Inner>.fingerprint);
}

TEST_CASE("a layout query has no names of the user's and asks for each struct once", "[program][struct_layouts]") {
  Capabilities plain;
  plain.fp16 = plain.fp64 = false;

  const LayoutQuery query(struct_description<Holder>, plain);

  CHECK(query.text ==
        "struct s0 { char m0; int m1; };\n"
        "struct s1 { int m0; struct s0 m1; };\n"
        "kernel void anycl_layout(global ulong* out) {\n"
        "  out[0] = sizeof(struct s0);\n"
        "  out[1] = (global uchar*)&((global struct s0*)out)->m0 - (global uchar*)out;\n"
        "  out[2] = (global uchar*)&((global struct s0*)out)->m1 - (global uchar*)out;\n"
        "  out[3] = sizeof(struct s1);\n"
        "  out[4] = (global uchar*)&((global struct s1*)out)->m0 - (global uchar*)out;\n"
        "  out[5] = (global uchar*)&((global struct s1*)out)->m1 - (global uchar*)out;\n"
        "}\n");
  CHECK(query.answers.size() == 6);
}

TEST_CASE("the first member in another place is named, else the struct of another size", "[program][struct_layouts]") {
  const LayoutQuery query(struct_description<Settings>, Capabilities{});
  const auto difference = [&](const std::vector<std::uint64_t>& on_device) {
    return detail::layout_difference(query, on_device, "the device");
  };

  CHECK(difference({16, 0, 4, 12}).empty());
  CHECK(difference({24, 0, 8, 16}) ==
        "member 'factor' of struct Settings is at byte 4 on the host and at byte 8 on the device");
  CHECK(difference({13, 0, 4, 12}) == "struct Settings has 16 bytes on the host and 13 on the device");
}

TEST_CASE("structs of every kind of member are laid out alike on host and device",
          "[program][struct_layouts][OCL-104][OCL-106]") {
  test::for_each_device([](test::Rig& rig) {
    detail::StructLayouts layouts(*rig.context.core());

    layouts.check(rig.context.core()->index_of(rig.device), struct_description<Everything>, "here");
  });
}

TEST_CASE("a described struct arrives by value and in buffers", "[program][struct_layouts]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(
        rig.context,
        std::string(kTypes) +
            "kernel void k(global float* out, settings_t s, global const settings_t* all) {\n"
            "  out[0] = s.count; out[1] = s.factor[1]; out[2] = s.letter; out[3] = all[1].factor[0];\n}\n",
        "k");
    Buffer<float> out(rig.context, 4);
    Buffer<Settings> all(rig.context, std::vector<Settings>{{1, {2, 3}, 4}, {5, {6, 7}, 8}});

    launch(rig.queue, kernel, 1, out, Settings{-5, {0.5f, 1.5f}, 'x'}, all);

    CHECK(to_host(out) == std::vector<float>{-5, 1.5f, 'x', 6});
  });
}

TEST_CASE("a struct that lies otherwise on the device is refused before the launch, with member and places",
          "[program][struct_layouts][OCL-104]") {
  test::for_each_device([](test::Rig& rig) {
    Buffer<int> out(rig.context, std::vector<int>{7});
    Buffer<Packed> packed(rig.context, 4);
    const auto refused = [&](const std::string& type, const auto& value) {
      const Kernel kernel = kernel_of(rig, type);
      return refusal([&] { return launch(rig.queue, kernel, 1, out, value); });
    };
    const std::string end = " on " + rig.device.name() + kAdvice;

    CHECK(refused("packed_t", Packed{}) ==
          "launch k: argument 1 's': member 'number' of struct Packed is at byte 1 on the host and at byte 4" + end);
    CHECK(refused("global packed_t*", packed) ==
          "launch k: argument 1 's': member 'number' of struct Packed is at byte 1 on the host and at byte 4" + end);
    CHECK(refused("shifted_t", Shifted{}) ==
          "launch k: argument 1 's': member 'second' of struct Shifted is at byte 16 on the host and at byte 4" + end);
    CHECK(refused("shifted_t", Forgotten{}) ==
          "launch k: argument 1 's': struct Forgotten has 8 bytes on the host and 4" + end);
    CHECK(refused("holder_t", Holder{}) ==
          "launch k: argument 1 's': member 'number' of struct Packed is at byte 1 on the host and at byte 4" + end);
    CHECK(to_host(out).front() == 7);
  });
}

TEST_CASE("buffers of structs without a description, and described ones seen as numbers, are taken as bytes",
          "[program][struct_layouts]") {
  test::for_each_device([](test::Rig& rig) {
    Buffer<int> out(rig.context, 1);
    Buffer<Undescribed> plain(rig.context, 1);
    Buffer<Packed> packed(rig.context, 4);

    CHECK(refusal([&] { return launch(rig.queue, kernel_of(rig, "global packed_t*"), 1, out, plain); }) == "accepted");
    CHECK(refusal([&] { return launch(rig.queue, kernel_of(rig, "global uchar*"), 1, out, packed); }) == "accepted");
  });
}

TEST_CASE("a device is asked once for a struct", "[program][struct_layouts][OCL-106]") {
  static std::atomic<int> launches{0};
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel = kernel_of(rig, "settings_t");
    Buffer<int> out(rig.context, 1);
    detail::StructLayouts layouts(*rig.context.core());
    const std::size_t index = rig.context.core()->index_of(rig.device);
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clEnqueueNDRangeKernel = [](cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, const size_t* e,
                                        const size_t* f, cl_uint g, const cl_event* h, cl_event* i) -> cl_int {
        ++launches;
        return test::real_driver().clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i);
      };
    });
    launches = 0;

    for (int i = 0; i < 3; ++i) layouts.check(index, struct_description<Settings>, "here");
    CHECK(launches == 1);
    layouts.check(index, struct_description<Inner>, "here");
    CHECK(launches == 2);
  });
}
