// Sizes and offsets that 32 bits cannot hold.
// Needs: a driver with compiler, threads
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/scale.hpp"

using namespace anycl;

namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;

/// What the driver was asked for last.
struct Asked {
  std::size_t offset = 0, target_offset = 0, size = 0;

  friend bool operator==(const Asked&, const Asked&) = default;
};

Asked asked;

cl_int note(const Asked& what, cl_command_queue queue, cl_event* event) {
  asked = what;
  return test::real_driver().clEnqueueMarkerWithWaitList(queue, 0, nullptr, event);
}

/// A device that seems to hold a terabyte: buffers are small ones in truth, and transfers are noted and not done.
void seem_huge(detail::EntryPoints& table) {
  table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value,
                             size_t* size_ret) -> cl_int {
    const cl_int code = test::real_driver().clGetDeviceInfo(id, what, size, value, size_ret);
    constexpr cl_ulong kHuge = 1024 * kGiB;
    if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && value != nullptr) std::memcpy(value, &kHuge, sizeof kHuge);
    return code;
  };
  table.clCreateBuffer = [](cl_context a, cl_mem_flags b, size_t size, void* d, cl_int* e) -> cl_mem {
    asked = {0, 0, size};
    return test::real_driver().clCreateBuffer(a, b, 64, d, e);
  };
  table.clEnqueueReadBuffer = [](cl_command_queue queue, cl_mem, cl_bool, size_t offset, size_t size, void*, cl_uint,
                                 const cl_event*, cl_event* event) -> cl_int {
    return note({offset, 0, size}, queue, event);
  };
  table.clEnqueueWriteBuffer = [](cl_command_queue queue, cl_mem, cl_bool, size_t offset, size_t size, const void*,
                                  cl_uint, const cl_event*, cl_event* event) -> cl_int {
    return note({offset, 0, size}, queue, event);
  };
  table.clEnqueueFillBuffer = [](cl_command_queue queue, cl_mem, const void*, size_t, size_t offset, size_t size,
                                 cl_uint, const cl_event*, cl_event* event) -> cl_int {
    return note({offset, 0, size}, queue, event);
  };
  table.clEnqueueCopyBuffer = [](cl_command_queue queue, cl_mem, cl_mem, size_t from, size_t to, size_t size, cl_uint,
                                 const cl_event*, cl_event* event) -> cl_int {
    return note({from, to, size}, queue, event);
  };
}

std::uint64_t available_memory_bytes() {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  for (std::uint64_t kilobytes = 0; facts >> name >> kilobytes; facts.ignore(80, '\n'))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return 0;
}

}  // namespace

TEST_CASE("sizes and offsets over 2^32 reach the driver as they are [OCL-034] [OCL-055]", "[memory][large]") {
  static_cast<void>(test::shared_context());
  const test::Faults faults(&seem_huge);
  for (const Device& device : discover().devices()) {
    Context context{std::vector<Device>{device}};
    Queue queue(context, device);
    constexpr std::size_t kSize = 4 * kGiB + 1;
    std::array<std::uint64_t, 2> host{};
    Buffer<std::uint64_t> x(context, kSize), y(context, kSize);

    fill(queue, x, std::uint64_t{1}, 1, kSize - 1);
    CHECK(asked == Asked{8, 0, (kSize - 1) * 8});
    write(queue, x, host, kSize - 2);
    CHECK(asked == Asked{(kSize - 2) * 8, 0, 16});
    read(queue, x, host, kSize - 2);
    CHECK(asked == Asked{(kSize - 2) * 8, 0, 16});
    copy(queue, x, 2, y, 1, kSize - 2);
    CHECK(asked == Asked{16, 8, (kSize - 2) * 8});
    queue.finish();
  }
}

TEST_CASE("a buffer over 2^32 is asked for with its exact size [OCL-055]", "[memory][large]") {
  static_cast<void>(test::shared_context());
  const test::Faults faults(&seem_huge);
  for (const Device& device : discover().devices()) {
    Context context{std::vector<Device>{device}};
    Queue queue(context, device);
    Buffer<std::uint8_t> x(context, 4 * kGiB + 1), empty(context, 0);

    static_cast<void>(launch(queue, Kernel(context, "kernel void k(global uchar* x) {}", "k"), 1, x));

    CHECK(asked == Asked{0, 0, 4 * kGiB + 1});
    queue.finish();
  }
}

TEST_CASE("a buffer of 5 GiB is right to the last byte [OCL-034]", "[memory][large]") {
  if (!test::full_scale()) ANYCL_SKIP("takes 5 GiB and a while: ANYCL_TEST_SCALE=full");
  constexpr std::size_t kSize = 5 * kGiB;
  const Device& device = test::shared_context().device(0);
  if (device.capabilities().max_allocation_bytes < kSize) ANYCL_SKIP(device.name() + " holds no buffer of 5 GiB");
  if (available_memory_bytes() < kSize + 2 * kGiB) ANYCL_SKIP("the machine has no 7 GiB to spare");
  Context context{std::vector<Device>{device}};
  Queue queue(context, device);
  const Kernel add(context,
                   "kernel void add(global uchar16* x, ulong n) {\n"
                   "  const size_t i = get_global_id(0);\n"
                   "  if (i < n) x[i] += (uchar16)3;\n"
                   "}\n",
                   "add");
  Buffer<std::uint8_t> x(context, kSize);
  std::array<std::uint8_t, 2> ends{};

  fill(queue, x, std::uint8_t{4});
  write(queue, x, std::vector<std::uint8_t>{9}, kSize - 1);
  launch(queue, add, kSize / 16, x, kSize / 16);
  read(queue, x, std::span(ends).first(1), 0);
  read(queue, x, std::span(ends).last(1), kSize - 1).wait();

  CHECK(ends == std::array<std::uint8_t, 2>{7, 12});
}
