// Needs: a driver with compiler
#include "anycl/program/vec.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"

using namespace anycl;

namespace {

template <class T>
Vec<T, 16> ascending() {
  Vec<T, 16> numbers{};
  for (std::size_t i = 0; i < 16; ++i) numbers[i] = static_cast<T>(i + 1);
  return numbers;
}

/// What a launch says when it refuses; "accepted" when it does not.
template <class... Args>
std::string refusal(test::Rig& rig, const Kernel& kernel, const Args&... args) {
  try {
    launch(rig.queue, kernel, 1, args...).wait();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("vectors have the size and alignment of OpenCL C's", "[program][vec]") {
  STATIC_REQUIRE(sizeof(Vec<std::uint8_t, 2>) == 2);
  STATIC_REQUIRE(sizeof(Vec<float, 3>) == 16);
  STATIC_REQUIRE(alignof(Vec<float, 3>) == 16);
  STATIC_REQUIRE(sizeof(Vec<float, 4>) == 16);
  STATIC_REQUIRE(alignof(Vec<float, 4>) == 16);
  STATIC_REQUIRE(sizeof(Vec<double, 16>) == 128);
  STATIC_REQUIRE(alignof(Vec<double, 16>) == 128);
  STATIC_REQUIRE(sizeof(Vec<Half, 8>) == 16);
  STATIC_REQUIRE(sizeof(std::array<Vec<std::int16_t, 3>, 2>) == 16);
}

TEST_CASE("a vector is made, read and compared lane by lane", "[program][vec]") {
  constexpr Vec<int, 4> vector{1, 2, 3};
  STATIC_REQUIRE(vector[2] == 3);
  STATIC_REQUIRE(vector[3] == 0);
  STATIC_REQUIRE(vector == Vec<int, 4>{1, 2, 3, 0});
  STATIC_REQUIRE_FALSE(vector == Vec<int, 4>{1, 2, 3, 4});
  STATIC_REQUIRE(vector.end() - vector.begin() == 4);

  Vec<float, 2> sum{};
  for (float& lane : sum) lane += 2;

  CHECK(sum == Vec<float, 2>{2, 2});
}

TEST_CASE("a device has the sizes of the host's vectors", "[program][vec]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "kernel void k(global uint* out) {\n"
                        "  out[0] = sizeof(char2); out[1] = sizeof(short3); out[2] = sizeof(float3);\n"
                        "  out[3] = sizeof(uint4); out[4] = sizeof(float8); out[5] = sizeof(long16);\n}\n",
                        "k");
    Buffer<std::uint32_t> out(rig.context, 6);

    launch(rig.queue, kernel, 1, out);

    CHECK(to_host(out) == std::vector<std::uint32_t>{sizeof(Vec<std::int8_t, 2>), sizeof(Vec<std::int16_t, 3>),
                                                     sizeof(Vec<float, 3>), sizeof(Vec<std::uint32_t, 4>),
                                                     sizeof(Vec<float, 8>), sizeof(Vec<std::int64_t, 16>)});
  });
}

TEST_CASE("vectors go to a kernel by value, lane by lane", "[program][vec]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "kernel void k(global float* out, float4 a, uchar16 b, int3 c, long2 d, ushort8 e) {\n"
                        "  vstore4(a, 0, out); vstore16(convert_float16(b), 0, out + 4);\n"
                        "  vstore3(convert_float3(c), 0, out + 20); vstore2(convert_float2(d), 0, out + 23);\n"
                        "  vstore8(convert_float8(e), 0, out + 25);\n}\n",
                        "k");
    Buffer<float> out(rig.context, 33);

    launch(rig.queue, kernel, 1, out, Vec<float, 4>{0.5f, -1, 2, 3}, ascending<std::uint8_t>(), Vec<int, 3>{-7, 8, 9},
           Vec<std::int64_t, 2>{-10, 11}, Vec<std::uint16_t, 8>{21, 22, 23, 24, 25, 26, 27, 65535});

    CHECK(to_host(out) == std::vector<float>{0.5f, -1, 2,  3,  1, 2, 3,   4,  5,  6,  7,  8,  9,  10, 11, 12,   13,
                                             14,   15, 16, -7, 8, 9, -10, 11, 21, 22, 23, 24, 25, 26, 27, 65535});
  });
}

TEST_CASE("buffers of vectors are what the kernel's vector pointers point to", "[program][vec]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "kernel void k(global float4* wide, global const float3* three, global const uchar2* two) {\n"
                        "  const size_t i = get_global_id(0);\n"
                        "  wide[i] += (float4)(three[i], 1.0f) + (float4)(two[i].x, two[i].y, 0.0f, 0.0f);\n}\n",
                        "k");
    Buffer<Vec<float, 4>> wide(rig.context, std::vector<Vec<float, 4>>{{1, 2, 3, 4}, {5, 6, 7, 8}});
    Buffer<Vec<float, 3>> three(rig.context, std::vector<Vec<float, 3>>{{10, 20, 30}, {40, 50, 60}});
    Buffer<Vec<std::uint8_t, 2>> two(rig.context, std::vector<Vec<std::uint8_t, 2>>{{100, 200}, {0, 255}});

    launch(rig.queue, kernel, 2, wide, three, two);

    CHECK(to_host(wide) == std::vector<Vec<float, 4>>{{111, 222, 33, 5}, {45, 311, 67, 9}});
  });
}

TEST_CASE("a vector of another kind or length is refused, and says what it is", "[program][vec]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel value(rig.context, "kernel void k(global float* out, float4 v) { *out = v.x; }", "k");
    const Kernel buffer(rig.context, "kernel void k(global float4* v, global float* w) { *v = *w; }", "k");
    const std::string by_value = "launch k: argument 1 'v' is float4, got a value of type ";
    const std::string by_buffer = "launch k: argument 0 'v' is global float4*, got a buffer of ";
    const std::string advice = "; pass a Buffer of that type, or of std::byte";
    Buffer<float> out(rig.context, 4);
    Buffer<Vec<float, 4>> four(rig.context, 1);
    Buffer<Vec<int, 4>> integers(rig.context, 1);
    Buffer<Vec<float, 2>> pairs(rig.context, 2);
    Buffer<Vec<float, 3>> triples(rig.context, 1);

    CHECK(refusal(rig, value, out, Vec<float, 4>{}) == "accepted");
    CHECK(refusal(rig, value, out, Vec<int, 4>{}) == by_value + "int4; pass a value of that type");
    CHECK(refusal(rig, value, out, Vec<float, 3>{}) == by_value + "float3; pass a value of that type");
    CHECK(refusal(rig, value, out, Vec<float, 2>{}) == by_value + "float2; pass a value of that type");
    CHECK(refusal(rig, value, out, 1.0f) == by_value + "float; pass a value of that type");
    CHECK(refusal(rig, value, four, Vec<float, 4>{}) == "accepted");
    CHECK(refusal(rig, buffer, four, out) == "accepted");
    CHECK(refusal(rig, buffer, triples, out) == "accepted");
    CHECK(refusal(rig, buffer, integers, out) == by_buffer + "int4" + advice);
    CHECK(refusal(rig, buffer, pairs, out) == by_buffer + "float2" + advice);
    CHECK(refusal(rig, buffer, four, triples) ==
          "launch k: argument 1 'w' is global float*, got a buffer of float3" + advice);
  });
}

TEST_CASE("each half is the number that devices take it for", "[program][vec]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel load(rig.context,
                      "kernel void k(global float* out, global const half* in) {\n"
                      "  out[get_global_id(0)] = vload_half(get_global_id(0), in);\n}\n",
                      "k");
    std::vector<Half> all;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) all.push_back(Half::from_bits(static_cast<std::uint16_t>(bits)));
    Buffer<Half> in(rig.context, all);
    const std::size_t size = rig.device.platform_alias() == "oclgrind" ? 0x500 : all.size();  // it simulates
    Buffer<float> out(rig.context, size);

    launch(rig.queue, load, size, out, in);

    const auto got = to_host(out);
    for (std::size_t i = 0; i < size; ++i) {
      const float want = all[i];
      CAPTURE(i);
      if (std::isnan(want))
        REQUIRE(std::isnan(got[i]));
      else
        REQUIRE(got[i] == want);
    }
  });
}

TEST_CASE("halves go by value and as elements where the device has them", "[program][vec]") {
  test::for_each_device([](test::Rig& rig) {
    if (!rig.device.capabilities().fp16) return;
    const Kernel kernel(rig.context,
                        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                        "kernel void k(global half* out, half a, half4 b) { out[0] = a * b.w; }",
                        "k");
    Buffer<Half> out(rig.context, 1);

    launch(rig.queue, kernel, 1, out, Half(1.5f), Vec<Half, 4>{Half(0), Half(0), Half(0), Half(2)});

    CHECK(to_host(out).front() == Half(3));
    CHECK(refusal(rig, kernel, out, 1.5f, Vec<Half, 4>{}).starts_with("launch k: argument 1 'a' is half, got a value"));
    CHECK(refusal(rig, kernel, out, Half(1), Vec<float, 4>{}).find("is half4, got a value of type float4") !=
          std::string::npos);
  });
}

TEST_CASE("a vector's type is a definition's value", "[program][vec]") {
  const auto text_of = [](auto type) { return Definition("T", type).value(); };

  CHECK(text_of(type<Vec<float, 4>>) == "float4");
  CHECK(text_of(type<const Vec<std::uint8_t, 16>>) == "uchar16");
  CHECK(text_of(type<Vec<Half, 2>>) == "half2");
  CHECK(text_of(type<Half>) == "half");
}
