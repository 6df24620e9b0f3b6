// Needs: no driver
#include "stub_icd/driver/kernel_declaration.hpp"

#include <string>

#include "support/catch.hpp"

using namespace anycl;
using stub::KernelDeclaration;
using stub::Parameter;
using stub::preprocess;
using stub::read_declarations;

namespace {

std::vector<KernelDeclaration> kernels(const std::string& source) {
  return read_declarations(preprocess(source, "")).kernels;
}

/// The only parameter of a kernel that declares it so.
Parameter parameter(const std::string& text) {
  return kernels("kernel void k(" + text + ") {}").at(0).parameters.at(0);
}

}  // namespace

TEST_CASE("kernels are found, and nothing else", "[stub_icd][kernel_declaration]") {
  const auto found = kernels(
      "float helper(float x) { return x; }\n"
      "__kernel void one(global int* x) { if (x) { *x = 1; } }\n"
      "kernel void declared_only(int a);\n"
      "/* kernel void commented() {} */ // kernel void too() {}\n"
      "void kernel two() {}\n"
      "const char text[] = \"kernel void quoted() {}\";\n"
      "kernel\nvoid\nthree(void) {}\n");

  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "one");
  CHECK(found[1].name == "two");
  CHECK(found[2].name == "three");
  CHECK(found[0].parameters.size() == 1);
  CHECK(found[2].parameters.empty());
}

TEST_CASE("a pointer has its address space, its type and its qualifiers", "[stub_icd][kernel_declaration]") {
  const Parameter x = parameter("const __global float *restrict x");
  CHECK(x.name == "x");
  CHECK(x.type == "float*");
  CHECK(x.space == CL_KERNEL_ARG_ADDRESS_GLOBAL);
  CHECK(x.qualifiers == (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT));
  CHECK(x.is_memory());

  CHECK(parameter("constant uint* t").space == CL_KERNEL_ARG_ADDRESS_CONSTANT);
  CHECK(parameter("constant uint* t").qualifiers == CL_KERNEL_ARG_TYPE_CONST);
  CHECK(parameter("local short* s").is_local());
  CHECK_FALSE(parameter("local short* s").is_memory());
  CHECK(parameter("global volatile uchar* w").qualifiers == CL_KERNEL_ARG_TYPE_VOLATILE);
  CHECK(parameter("global int* const x").qualifiers == CL_KERNEL_ARG_TYPE_NONE);
  CHECK(parameter("global unsigned char* x").type == "uchar*");
  CHECK(parameter("global float x[]").type == "float*");
}

TEST_CASE("a value has a type and a size, known where the type is OpenCL C's", "[stub_icd][kernel_declaration]") {
  CHECK(parameter("unsigned int n").type == "uint");
  CHECK(parameter("unsigned n").type == "uint");
  CHECK(parameter("signed char c").type == "char");
  CHECK(parameter("const ulong n").qualifiers == CL_KERNEL_ARG_TYPE_NONE);
  CHECK(parameter("const ulong n").size_bytes == 8);
  CHECK(parameter("float4 v").size_bytes == 16);
  CHECK(parameter("int3 v").size_bytes == 16);
  CHECK(parameter("double16 v").size_bytes == 128);
  CHECK(parameter("pair_t p").type == "pair_t");
  CHECK(parameter("pair_t p").size_bytes == 0);
  CHECK(parameter("struct pair p").type == "pair");
  CHECK(parameter("sampler_t s").size_bytes == sizeof(cl_sampler));
  CHECK_FALSE(parameter("float a").is_memory());
}

TEST_CASE("an image is memory with an access", "[stub_icd][kernel_declaration]") {
  CHECK(parameter("read_only image2d_t p").access == CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(parameter("__write_only image2d_t p").access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  CHECK(parameter("image3d_t p").access == CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(parameter("image2d_array_t p").is_memory());
  CHECK_FALSE(parameter("image_size_t p").is_memory());  // a type of the program's own
}

TEST_CASE("attributes are read wherever they stand", "[stub_icd][kernel_declaration]") {
  const auto source =
      GENERATE(as<std::string>{}, "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global int* x) {}",
               "__attribute__((unused)) kernel void __attribute__((reqd_work_group_size(8,2,1))) k(global int* x) {}",
               "#define W 8\nkernel void __attribute__((vec_type_hint(float4))) "
               "__attribute__((__reqd_work_group_size__(W, 2, 1))) k(global int* x __attribute__((aligned(8)))) {}");

  const auto found = kernels(source);

  CAPTURE(source);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "k");
  CHECK(found[0].required_group == stub::Sizes{8, 2, 1});
  CHECK(found[0].attributes == "reqd_work_group_size(8,2,1)");
  REQUIRE(found[0].parameters.size() == 1);
  CHECK(found[0].parameters[0].name == "x");
}

TEST_CASE("arrays in local memory are counted", "[stub_icd][kernel_declaration]") {
  CHECK(kernels("#define N 64\nkernel void k() { local float a[N]; __local char b[3]; float c[9]; }")[0].local_bytes ==
        64 * 4 + 3);
}

TEST_CASE("constants of the program are known by name", "[stub_icd][kernel_declaration]") {
  const auto program = read_declarations(preprocess("constant int value = 42;\n__constant float f = 1;", ""));

  CHECK(program.constants.at("value") == 42);
}

TEST_CASE("text that is no program gives no kernel and does no harm", "[stub_icd][kernel_declaration]") {
  const auto source =
      GENERATE(as<std::string>{}, "", "kernel", "kernel void", "kernel void k", "kernel void k(", "kernel (",
               "kernel void k()", "kernel void k(int a", "kernel __attribute__", "kernel __attribute__((", "constant",
               "{", "kernel void k() {", "kernel void k(,) {}", "kernel void k([) {}");

  CAPTURE(source);
  try {
    const auto found = kernels(source);
    CHECK(found.size() <= 1);
  } catch (const stub::SourceError& error) {
    CHECK(error.message == "expected a kernel's name and parameters");
  }
}
