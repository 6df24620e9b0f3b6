// Buffers larger than a device tells, on a machine whose driver takes them when asked in its own way.
// Needs: no driver
#include <CL/cl.h>

#include <cstdint>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/faults.hpp"
#include "support/stub.hpp"

using namespace anycl;
using Bytes = Buffer<std::uint8_t>;

namespace {

constexpr cl_mem_flags kLarge = cl_mem_flags{1} << 23;

void passes_with(const std::string& tag, const std::string& model) {
  test::StubFolder folder;
  folder.add("stub", "devices=" + model);
  auto variables = folder.variables();
  variables.emplace_back("ANYCL_DEVICES");
  variables.emplace_back("ANYCL_CACHE=off");
  const auto result = test::run_hidden_test(tag, variables);
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

/// Flags of the buffers that the driver was asked for; it has no memory.
struct NoMemory : test::Faults {
  NoMemory()
      : Faults([](detail::EntryPoints& table) {
          table.clCreateBuffer = [](cl_context, cl_mem_flags flags, size_t, void*, cl_int* code) -> cl_mem {
            asked.push_back(flags);
            if (code != nullptr) *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
            return nullptr;
          };
        }) {}

  static inline std::vector<cl_mem_flags> asked;
};

/// Options that programs are built with.
struct Builds : test::Faults {
  Builds()
      : Faults([](detail::EntryPoints& table) {
          table.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char* text,
                                    void(CL_CALLBACK * done)(cl_program, void*), void* data) -> cl_int {
            options = text;
            return test::real_driver().clBuildProgram(program, count, devices, text, done, data);
          };
        }) {}

  static inline std::string options;
};

}  // namespace

TEST_CASE("large buffers have the flag, others do not", "[.][large_flagged]") {
  Context context;
  Queue queue(context, context.device(0));
  const std::uint64_t told = context.device(0).capabilities().max_allocation_bytes;
  const NoMemory none;

  CHECK_THROWS_AS(Bytes(context, std::vector<std::uint8_t>(16)), OutOfMemory);
  Bytes largest(context, told), larger(context, told + 1);
  CHECK_THROWS_AS(fill(queue, largest, 0), OutOfMemory);
  CHECK_THROWS_AS(fill(queue, larger, 0), OutOfMemory);

  REQUIRE(NoMemory::asked.size() == 3);
  CHECK((NoMemory::asked[0] & kLarge) == 0);
  CHECK((NoMemory::asked[1] & kLarge) == 0);
  CHECK((NoMemory::asked[2] & kLarge) != 0);
  CHECK_THROWS_AS(Bytes(context, context.device(0).capabilities().global_memory_bytes + 1), OutOfMemory);
}

TEST_CASE("programs are built for large buffers", "[.][large_built]") {
  Context context;
  Queue queue(context, context.device(0));
  Buffer<int> x(context, std::vector<int>(10));
  const Builds builds;

  launch(queue, Kernel(context, "kernel void add(global int* x) { x[get_global_id(0)] += 1; }", "add"), 10, x).wait();

  CHECK(Builds::options == "-cl-kernel-arg-info -cl-intel-greater-than-4GB-buffer-required");
}

TEST_CASE("a larger buffer than told is refused, and programs are built as ever", "[.][large_refused]") {
  Context context;
  Queue queue(context, context.device(0));
  Buffer<int> x(context, std::vector<int>(10));
  const Builds builds;

  CHECK_THROWS_AS(Bytes(context, context.device(0).capabilities().max_allocation_bytes + 1), OutOfMemory);
  launch(queue, Kernel(context, "kernel void add(global int* x) { x[get_global_id(0)] += 1; }", "add"), 10, x).wait();

  CHECK(Builds::options == "-cl-kernel-arg-info");
}

TEST_CASE("Intel's cards take buffers as large as their memory, with a flag", "[memory][large_flag]") {
  passes_with("[large_flagged]", "intel-arc-a770");
}

TEST_CASE("for Intel's cards programs are built so that large buffers work", "[memory][large_flag]") {
  passes_with("[large_built]", "intel-arc-a770");
}

TEST_CASE("where no quirk says so, the largest buffer is what the device tells", "[memory][large_flag]") {
  passes_with("[large_refused]", GENERATE(as<std::string>{}, "nvidia-rtx-3090", "intel-xeon"));
}
