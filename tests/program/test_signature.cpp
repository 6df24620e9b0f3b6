// Needs: a driver
#include "program/signature.hpp"

#include <string>

#include "anycl/anycl.hpp"
#include "program/kernel_core.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

using namespace anycl;
using detail::Parameter;
using detail::ScalarType;
using detail::Signature;
using Space = Parameter::Space;

namespace {

Parameter resolved(const std::string& type, Space space) {
  Parameter parameter;
  parameter.type = type;
  parameter.space = space;
  parameter.resolve_type();
  return parameter;
}

const Signature& signature_of(test::Rig& rig, const Kernel& kernel) {
  return kernel.core()->on_device(rig.context.core()->index_of(rig.device)).signature;
}

constexpr const char* kEverything =
    "typedef struct { int a; char b; } pair_t;\n"
    "typedef float real_t;\n"
    "typedef uint index_t;\n"
    "kernel void every(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float i, float4 j, int3 k,\n"
    "                unsigned int l, real_t m, pair_t n,\n"
    "                global const float* o, global int* p, constant uint* q, local short* r, global pair_t* s,\n"
    "                global real_t* t, const global index_t* restrict u, global float4* v, global volatile uchar* w) "
    "{\n"
    "  *p = a + b + c + d + e + f + g + h + i + j.x + k.x + l + m + n.a + *o + *q + *r + s->a + *t + *u + v->x + *w;\n"
    "}\n";

struct Want {
  const char* name;
  Space space;
  ScalarType scalar;
  std::size_t size;
  bool is_const;
};

// What must hold for each parameter, whatever words the driver uses. none with size 0: known by its name alone.
constexpr Want kWanted[] = {
    {"a", Space::value, ScalarType::int8, 1, false},     {"b", Space::value, ScalarType::uint8, 1, false},
    {"c", Space::value, ScalarType::int16, 2, false},    {"d", Space::value, ScalarType::uint16, 2, false},
    {"e", Space::value, ScalarType::int32, 4, false},    {"f", Space::value, ScalarType::uint32, 4, false},
    {"g", Space::value, ScalarType::int64, 8, false},    {"h", Space::value, ScalarType::uint64, 8, false},
    {"i", Space::value, ScalarType::float32, 4, false},  {"j", Space::value, ScalarType::float32, 16, false},
    {"k", Space::value, ScalarType::int32, 16, false},   {"l", Space::value, ScalarType::uint32, 4, false},
    {"m", Space::value, ScalarType::none, 0, false},     {"n", Space::value, ScalarType::none, 0, false},
    {"o", Space::global, ScalarType::float32, 4, true},  {"p", Space::global, ScalarType::int32, 4, false},
    {"q", Space::constant, ScalarType::uint32, 4, true}, {"r", Space::local, ScalarType::int16, 2, false},
    {"s", Space::global, ScalarType::none, 0, false},    {"t", Space::global, ScalarType::none, 0, false},
    {"u", Space::global, ScalarType::none, 0, true},     {"v", Space::global, ScalarType::float32, 16, false},
    {"w", Space::global, ScalarType::uint8, 1, false},
};

}  // namespace

TEST_CASE("type words of every driver's spelling are understood", "[program][signature]") {
  CHECK(resolved("unsigned int", Space::value).element.scalar == ScalarType::uint32);
  CHECK(resolved("uint", Space::value).element.scalar == ScalarType::uint32);
  CHECK(resolved("unsigned char*", Space::global).element.scalar == ScalarType::uint8);
  CHECK(resolved("uchar *", Space::global).element.scalar == ScalarType::uint8);
  CHECK(resolved("signed char", Space::value).element.scalar == ScalarType::int8);
  CHECK(resolved("half*", Space::global).element.scalar == ScalarType::half);
  CHECK(resolved("double", Space::value).size_bytes == 8);
}

TEST_CASE("vectors have the room OpenCL gives them, three as four", "[program][signature]") {
  CHECK(resolved("float2", Space::value).size_bytes == 8);
  CHECK(resolved("float3", Space::value).size_bytes == 16);
  CHECK(resolved("uchar3", Space::value).size_bytes == 4);
  CHECK(resolved("double16", Space::value).size_bytes == 128);
  CHECK(resolved("float4", Space::value).element == detail::ElementType{ScalarType::float32, 4});
  CHECK(resolved("float4*", Space::global).element.scalar == ScalarType::float32);
}

TEST_CASE("a type that only looks built in is not", "[program][signature]") {
  const auto type = GENERATE(as<std::string>{}, "float5", "float0", "int32", "uint8_t", "point2", "pair_t", "struct",
                             "struct pair", "", "*", "4", "float99999999999999999999", "int *const", "FLOAT");

  const Parameter parameter = resolved(type, Space::value);

  CAPTURE(type);
  CHECK(parameter.element.scalar == ScalarType::none);
  CHECK(parameter.size_bytes == 0);
}

TEST_CASE("images, samplers, pipes, events and queues are no kind a launch can set", "[program][signature]") {
  const auto type = GENERATE(as<std::string>{}, "image1d_t", "image1d_buffer_t", "image2d_t", "image2d_array_depth_t",
                             "image3d_t", "read_only image2d_t", "__write_only image2d_t", "sampler_t", "event_t",
                             "queue_t", "clk_event_t", "reserve_id_t", "pipe", "pipe int");
  const auto space = GENERATE(Space::value, Space::global);

  CHECK(resolved(type, space).space == Space::other);
}

TEST_CASE("types of the program with such names stay what they are", "[program][signature]") {
  CHECK(resolved("image_size_t", Space::value).space == Space::value);
  CHECK(resolved("my_event_t", Space::value).space == Space::value);
  CHECK(resolved("pipeline_t*", Space::global).space == Space::global);
  CHECK(resolved("image_row_t*", Space::global).space == Space::global);
}

TEST_CASE("what has an access qualifier, whatever its type is called, is no buffer", "[program][signature]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetKernelArgInfo = [](cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t size, void* value,
                                    size_t* needed) -> cl_int {
        const cl_int code = test::real_driver().clGetKernelArgInfo(kernel, index, what, size, value, needed);
        if (what == CL_KERNEL_ARG_ACCESS_QUALIFIER && value != nullptr && index == 0)
          *static_cast<cl_kernel_arg_access_qualifier*>(value) = CL_KERNEL_ARG_ACCESS_READ_ONLY;
        if (what == CL_KERNEL_ARG_TYPE_QUALIFIER && value != nullptr && index == 1)
          *static_cast<cl_kernel_arg_type_qualifier*>(value) = CL_KERNEL_ARG_TYPE_PIPE;
        return code;
      };
    });
    const Kernel kernel(rig.context, "kernel void qualified(global int* a, global int* b, global int* c) {}",
                        "qualified");

    const Signature& signature = signature_of(rig, kernel);

    CHECK(signature.parameters[0].space == Space::other);
    CHECK(signature.parameters[1].space == Space::other);
    CHECK(signature.parameters[2].space == Space::global);
  });
}

TEST_CASE("more arguments than a kernel can have are refused with kernel and number", "[program][signature]") {
  static cl_uint claimed = 0;
  claimed = GENERATE(as<cl_uint>{}, 65537, 0xCCCCCCCC, 0xFFFFFFFF);
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetKernelInfo = [](cl_kernel kernel, cl_kernel_info what, size_t size, void* value, size_t* needed) {
        const cl_int code = test::real_driver().clGetKernelInfo(kernel, what, size, value, needed);
        if (what == CL_KERNEL_NUM_ARGS && value != nullptr) *static_cast<cl_uint*>(value) = claimed;
        return code;
      };
    });
    Buffer<int> x(rig.context, 1);
    const Kernel kernel(rig.context, "kernel void over(global int* a) { *a = 1; }", "over");

    CHECK_THROWS_MATCHES(launch(rig.queue, kernel, 1, x), Unsupported,
                         Catch::Matchers::Message("kernel 'over' on " + rig.device.name() + ": the driver counts " +
                                                  std::to_string(claimed) + " arguments; at most 65536 are supported"));
  });
}

TEST_CASE("every driver describes each kind of parameter", "[program][signature]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, kEverything, "every");

    const Signature& signature = signature_of(rig, kernel);

    REQUIRE(signature.described);
    REQUIRE(signature.parameters.size() == std::size(kWanted));
    for (std::size_t i = 0; i < std::size(kWanted); ++i) {
      const Parameter& got = signature.parameters[i];
      CAPTURE(i, got.name, got.type);
      CHECK(got.name == kWanted[i].name);
      CHECK(got.space == kWanted[i].space);
      CHECK(got.element.scalar == kWanted[i].scalar);
      CHECK(got.size_bytes == kWanted[i].size);
      if (got.space != Space::constant) CHECK(got.is_const == kWanted[i].is_const);
    }
  });
}

TEST_CASE("a kernel without parameters has an empty signature", "[program][signature]") {
  test::for_each_device([](test::Rig& rig) {
    const Kernel kernel(rig.context, "kernel void nothing() {}", "nothing");

    CHECK(signature_of(rig, kernel).described);
    CHECK(signature_of(rig, kernel).parameters.empty());
    CHECK_NOTHROW(launch(rig.queue, kernel, 1));
  });
}

TEST_CASE("a driver that describes nothing still launches, by count", "[program][signature]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetKernelArgInfo = [](cl_kernel, cl_uint, cl_kernel_arg_info, size_t, void*, size_t*) -> cl_int {
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
      };
    });
    const Kernel kernel(rig.context, "kernel void mute(global int* out, int a) { *out = a + 1; }", "mute");
    Buffer<int> out(rig.context, 1);

    launch(rig.queue, kernel, 1, out, 41);

    CHECK(to_host(out).front() == 42);
    CHECK_FALSE(signature_of(rig, kernel).described);
    CHECK_THROWS_WITH(launch(rig.queue, kernel, 1, out), "launch mute: the kernel takes 2 arguments, got 1");
  });
}
