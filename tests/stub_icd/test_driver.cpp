// What a healthy stub does, call by call.
// Needs: no driver
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "stub_icd/raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/scale.hpp"

using namespace anycl;
using test::cl;
using test::RawRig;
using test::set_arguments;
using Uints = std::vector<cl_uint>;

namespace {

constexpr const char* kAdvance = "kernel void advance(global uint* x, uint factor, uint term, uint n) {}";
constexpr std::size_t kSize = 64;

Uints numbers() {
  Uints values(kSize);
  std::iota(values.begin(), values.end(), 0u);
  return values;
}

void write(RawRig& rig, cl_mem to, const Uints& from) {
  REQUIRE(cl().clEnqueueWriteBuffer(rig.queue, to, CL_TRUE, 0, from.size() * 4, from.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
}

Uints read(RawRig& rig, cl_mem from, std::size_t size = kSize) {
  Uints values(size);
  REQUIRE(cl().clEnqueueReadBuffer(rig.queue, from, CL_TRUE, 0, size * 4, values.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
  return values;
}

cl_mem filled(RawRig& rig) {
  cl_mem buffer = rig.buffer(kSize * 4);
  write(rig, buffer, numbers());
  return buffer;
}

template <class T>
T event_time(cl_event event, cl_profiling_info what) {
  T time{};
  CHECK(cl().clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) == CL_SUCCESS);
  return time;
}

template <class Query>
std::string text_of(Query&& query) {
  std::array<char, 256> text{};
  CHECK(query(text.size(), text.data(), nullptr) == CL_SUCCESS);
  return text.data();
}

/// Calls notified, with the status that each was told.
struct Notified {
  std::atomic<int> calls{0};
  std::atomic<cl_int> status{-9999};
  std::atomic<bool> on_this_thread{false};
  std::thread::id caller = std::this_thread::get_id();

  static void CL_CALLBACK call(cl_event, cl_int status, void* data) {
    auto& self = *static_cast<Notified*>(data);
    self.on_this_thread = std::this_thread::get_id() == self.caller;
    self.status = status;
    ++self.calls;
  }

  void wait() const {
    while (calls == 0) std::this_thread::yield();
  }
};

}  // namespace

TEST_CASE("a kernel with a known text computes", "[stub_icd][driver]") {
  RawRig rig;
  cl_kernel kernel = rig.kernel(kAdvance, "advance");
  cl_mem x = filled(rig);

  REQUIRE(set_arguments(kernel, x, cl_uint{3}, cl_uint{1}, cl_uint{kSize}) == CL_SUCCESS);
  REQUIRE(rig.enqueue(kernel, kSize) == CL_SUCCESS);

  Uints want = numbers();
  for (cl_uint& value : want) value = value * 3 + 1;
  CHECK(read(rig, x) == want);
}

TEST_CASE("a kernel of another text does nothing, and is described all the same", "[stub_icd][driver]") {
  RawRig rig;
  cl_kernel kernel = rig.kernel("kernel void mine(global const float4* from, local int* scratch, uint n) { }", "mine");
  const auto about = [&](cl_uint index, cl_kernel_arg_info what) {
    return text_of([&](size_t size, void* value, size_t* size_ret) {
      return cl().clGetKernelArgInfo(kernel, index, what, size, value, size_ret);
    });
  };
  cl_uint count = 0;
  CHECK(cl().clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr) == CL_SUCCESS);
  CHECK(count == 3);
  CHECK(about(0, CL_KERNEL_ARG_TYPE_NAME) == "float4*");
  CHECK(about(0, CL_KERNEL_ARG_NAME) == "from");
  CHECK(about(2, CL_KERNEL_ARG_TYPE_NAME) == "uint");

  cl_mem x = filled(rig);
  REQUIRE(cl().clSetKernelArg(kernel, 0, sizeof x, &x) == CL_SUCCESS);
  REQUIRE(cl().clSetKernelArg(kernel, 1, 256, nullptr) == CL_SUCCESS);
  REQUIRE(cl().clSetKernelArg(kernel, 2, 4, &count) == CL_SUCCESS);
  REQUIRE(rig.enqueue(kernel, kSize) == CL_SUCCESS);
  CHECK(read(rig, x) == numbers());
}

TEST_CASE("memory is copied, filled, mapped and shared with the program", "[stub_icd][driver]") {
  RawRig rig;
  cl_mem from = filled(rig), to = rig.buffer(kSize * 4);
  const cl_uint pattern = 7;

  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, to, &pattern, 4, 0, kSize * 4, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(cl().clEnqueueCopyBuffer(rig.queue, from, to, 4, 8, 12, 0, nullptr, nullptr) == CL_SUCCESS);
  Uints want(kSize, 7);
  want[2] = 1, want[3] = 2, want[4] = 3;
  CHECK(read(rig, to) == want);

  cl_int code = -9999;
  auto* mapped = static_cast<cl_uint*>(
      cl().clEnqueueMapBuffer(rig.queue, to, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 8, 0, nullptr, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  CHECK(mapped[0] == 3);
  mapped[1] = 99;
  CHECK(cl().clEnqueueUnmapMemObject(rig.queue, to, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(cl().clEnqueueUnmapMemObject(rig.queue, to, mapped, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(read(rig, to)[5] == 99);

  Uints host = numbers();
  cl_mem shared = cl().clCreateBuffer(rig.context, CL_MEM_USE_HOST_PTR, kSize * 4, host.data(), &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, shared, &pattern, 4, 0, 8, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(cl().clFinish(rig.queue) == CL_SUCCESS);
  CHECK(host[1] == 7);
  CHECK(host[2] == 2);
  CHECK(cl().clReleaseMemObject(shared) == CL_SUCCESS);
}

TEST_CASE("boxes of memory are copied with their pitches", "[stub_icd][driver]") {
  RawRig rig;
  cl_mem from = filled(rig), to = rig.buffer(kSize * 4);  // 8 rows of 8
  const cl_uint zero = 0;
  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, to, &zero, 4, 0, kSize * 4, 0, nullptr, nullptr) == CL_SUCCESS);
  const std::size_t here[3]{4, 2, 0}, there[3]{0, 1, 0}, region[3]{8, 2, 1};  // two columns of two rows

  REQUIRE(cl().clEnqueueCopyBufferRect(rig.queue, from, to, here, there, region, 32, 0, 32, 0, 0, nullptr, nullptr) ==
          CL_SUCCESS);

  Uints want(kSize, 0);
  want[8] = 17, want[9] = 18, want[16] = 25, want[17] = 26;
  CHECK(read(rig, to) == want);
  Uints host(4);
  const std::size_t origin[3]{0, 0, 0};
  REQUIRE(cl().clEnqueueReadBufferRect(rig.queue, from, CL_TRUE, here, origin, region, 32, 0, 8, 0, host.data(), 0,
                                       nullptr, nullptr) == CL_SUCCESS);
  CHECK(host == Uints{17, 18, 25, 26});
  CHECK(cl().clEnqueueReadBufferRect(rig.queue, from, CL_TRUE, here, origin, region, 4, 0, 8, 0, host.data(), 0,
                                     nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("a part of a buffer is the same memory", "[stub_icd][driver]") {
  RawRig rig;
  cl_mem whole = rig.buffer(1024);
  const cl_buffer_region region{256, 128};
  cl_int code = -9999;
  cl_mem part = cl().clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  REQUIRE(code == CL_SUCCESS);
  const cl_uint pattern = 5;

  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, part, &pattern, 4, 0, 128, 0, nullptr, nullptr) == CL_SUCCESS);

  CHECK(read(rig, whole, 256)[64] == 5);
  const cl_buffer_region odd{4, 4}, far{1024, 128};
  CHECK(cl().clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &code) == nullptr);
  CHECK(code == CL_MISALIGNED_SUB_BUFFER_OFFSET);
  CHECK(cl().clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &far, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(cl().clReleaseMemObject(part) == CL_SUCCESS);
}

TEST_CASE("a command waits for its events, of the program too", "[stub_icd][driver]") {
  RawRig rig;
  cl_kernel kernel = rig.kernel(kAdvance, "advance");
  cl_mem x = filled(rig);
  REQUIRE(set_arguments(kernel, x, cl_uint{1}, cl_uint{1}, cl_uint{kSize}) == CL_SUCCESS);
  cl_event gate = rig.user_event();
  cl_event done = nullptr;

  REQUIRE(rig.enqueue(kernel, kSize, &done, {gate}) == CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(RawRig::status_of(done) == CL_QUEUED);
  REQUIRE(cl().clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(cl().clWaitForEvents(1, &done) == CL_SUCCESS);

  CHECK(RawRig::status_of(done) == CL_COMPLETE);
  CHECK(read(rig, x)[0] == 1);
  CHECK(cl().clSetUserEventStatus(gate, CL_COMPLETE) == CL_INVALID_OPERATION);
  CHECK(cl().clReleaseEvent(done) == CL_SUCCESS);
}

TEST_CASE("a command whose wait list failed fails and does not run", "[stub_icd][driver]") {
  RawRig rig;
  cl_kernel kernel = rig.kernel(kAdvance, "advance");
  cl_mem x = filled(rig);
  REQUIRE(set_arguments(kernel, x, cl_uint{1}, cl_uint{1}, cl_uint{kSize}) == CL_SUCCESS);
  cl_event gate = rig.user_event();
  cl_event first = nullptr, second = nullptr;
  REQUIRE(rig.enqueue(kernel, kSize, &first, {gate}) == CL_SUCCESS);
  REQUIRE(rig.enqueue(kernel, kSize, &second, {first}) == CL_SUCCESS);

  REQUIRE(cl().clSetUserEventStatus(gate, -77) == CL_SUCCESS);

  CHECK(cl().clWaitForEvents(1, &second) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(RawRig::status_of(first) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(RawRig::status_of(second) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(read(rig, x) == numbers());
  for (cl_event event : {first, second}) CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("an out-of-order queue runs what is ready; barriers hold it", "[stub_icd][driver]") {
  RawRig rig("plain", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = rig.user_event();
  cl_event held = nullptr, free = nullptr, barrier = nullptr, after = nullptr;
  const auto marker = [&](cl_event* event, std::vector<cl_event> waits) {
    return cl().clEnqueueMarkerWithWaitList(rig.queue, static_cast<cl_uint>(waits.size()),
                                            waits.empty() ? nullptr : waits.data(), event);
  };
  cl_mem x = filled(rig);
  const cl_uint pattern = 7;
  REQUIRE(marker(&held, {gate}) == CL_SUCCESS);
  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, x, &pattern, 4, 0, 4, 0, nullptr, &free) == CL_SUCCESS);

  CHECK(cl().clWaitForEvents(1, &free) == CL_SUCCESS);
  CHECK(RawRig::status_of(held) == CL_QUEUED);

  REQUIRE(cl().clEnqueueBarrierWithWaitList(rig.queue, 0, nullptr, &barrier) == CL_SUCCESS);
  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, x, &pattern, 4, 4, 4, 0, nullptr, &after) == CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(RawRig::status_of(after) == CL_QUEUED);
  REQUIRE(cl().clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(cl().clFinish(rig.queue) == CL_SUCCESS);
  CHECK(RawRig::status_of(after) == CL_COMPLETE);
  for (cl_event event : {held, free, barrier, after}) CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("an in-order queue keeps its order", "[stub_icd][driver]") {
  RawRig rig;
  cl_event gate = rig.user_event();
  cl_mem x = filled(rig);
  const cl_uint pattern = 7;
  cl_event later = nullptr;
  REQUIRE(cl().clEnqueueMarkerWithWaitList(rig.queue, 1, &gate, nullptr) == CL_SUCCESS);
  REQUIRE(cl().clEnqueueFillBuffer(rig.queue, x, &pattern, 4, 0, 4, 0, nullptr, &later) == CL_SUCCESS);

  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(RawRig::status_of(later) == CL_QUEUED);

  REQUIRE(cl().clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  CHECK(cl().clWaitForEvents(1, &later) == CL_SUCCESS);
  CHECK(cl().clReleaseEvent(later) == CL_SUCCESS);
}

TEST_CASE("time stamps rise, on queues that take them", "[stub_icd][driver]") {
  RawRig rig;
  cl_event event = nullptr;
  REQUIRE(cl().clEnqueueMarkerWithWaitList(rig.queue, 0, nullptr, &event) == CL_SUCCESS);
  REQUIRE(cl().clWaitForEvents(1, &event) == CL_SUCCESS);

  const auto queued = event_time<cl_ulong>(event, CL_PROFILING_COMMAND_QUEUED);
  const auto submitted = event_time<cl_ulong>(event, CL_PROFILING_COMMAND_SUBMIT);
  const auto started = event_time<cl_ulong>(event, CL_PROFILING_COMMAND_START);
  const auto ended = event_time<cl_ulong>(event, CL_PROFILING_COMMAND_END);
  CHECK(queued > 0);
  CHECK(queued <= submitted);
  CHECK(submitted <= started);
  CHECK(started <= ended);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);

  RawRig plain("plain", 0);
  cl_ulong time = 0;
  REQUIRE(cl().clEnqueueMarkerWithWaitList(plain.queue, 0, nullptr, &event) == CL_SUCCESS);
  REQUIRE(cl().clWaitForEvents(1, &event) == CL_SUCCESS);
  CHECK(cl().clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr) ==
        CL_PROFILING_INFO_NOT_AVAILABLE);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("callbacks come from the queue's thread, after a failure with its code, and at once when late",
          "[stub_icd][driver]") {
  RawRig rig;
  cl_event gate = rig.user_event();
  cl_event event = nullptr;
  Notified running, complete, failed, late;
  REQUIRE(cl().clEnqueueMarkerWithWaitList(rig.queue, 1, &gate, &event) == CL_SUCCESS);
  REQUIRE(cl().clSetEventCallback(event, CL_RUNNING, Notified::call, &running) == CL_SUCCESS);
  REQUIRE(cl().clSetEventCallback(event, CL_COMPLETE, Notified::call, &complete) == CL_SUCCESS);
  REQUIRE(cl().clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  complete.wait();
  CHECK(running.calls == 1);
  CHECK(running.status == CL_RUNNING);
  CHECK(complete.status == CL_COMPLETE);
  CHECK_FALSE(complete.on_this_thread);
  REQUIRE(cl().clSetEventCallback(event, CL_COMPLETE, Notified::call, &late) == CL_SUCCESS);
  CHECK(late.calls == 1);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);

  cl_event closed = rig.user_event();
  REQUIRE(cl().clEnqueueMarkerWithWaitList(rig.queue, 1, &closed, &event) == CL_SUCCESS);
  REQUIRE(cl().clSetEventCallback(event, CL_COMPLETE, Notified::call, &failed) == CL_SUCCESS);
  CHECK(cl().clReleaseEvent(event) == CL_SUCCESS);  // the callback is owed all the same
  REQUIRE(cl().clSetUserEventStatus(closed, -5) == CL_SUCCESS);
  failed.wait();
  CHECK(failed.status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("a queue that is released still runs what was enqueued", "[stub_icd][driver]") {
  RawRig rig;
  cl_mem x = filled(rig);
  cl_event gate = rig.user_event();
  cl_event done = nullptr;
  const cl_uint pattern = 9;
  cl_command_queue queue = cl().clCreateCommandQueue(rig.context, rig.device, 0, nullptr);
  REQUIRE(cl().clEnqueueFillBuffer(queue, x, &pattern, 4, 0, 4, 1, &gate, &done) == CL_SUCCESS);

  CHECK(cl().clReleaseCommandQueue(queue) == CL_SUCCESS);
  REQUIRE(cl().clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);

  CHECK(cl().clWaitForEvents(1, &done) == CL_SUCCESS);
  CHECK(read(rig, x)[0] == 9);
  CHECK(cl().clReleaseEvent(done) == CL_SUCCESS);
}

TEST_CASE("arguments are checked as by a strict driver", "[stub_icd][driver]") {
  RawRig rig;
  cl_kernel kernel = rig.kernel(
      "kernel void k(global int* x, uint n, local int* scratch) {}\n"
      "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void line(global ulong* local_size) {}",
      "k");
  cl_mem x = rig.buffer(256);
  cl_mem none = nullptr;
  const cl_uint n = 1;

  CHECK(cl().clSetKernelArg(kernel, 3, 4, &n) == CL_INVALID_ARG_INDEX);
  CHECK(cl().clSetKernelArg(kernel, 1, 8, &n) == CL_INVALID_ARG_SIZE);
  CHECK(cl().clSetKernelArg(kernel, 1, 4, nullptr) == CL_INVALID_ARG_VALUE);
  CHECK(cl().clSetKernelArg(kernel, 0, 4, &x) == CL_INVALID_ARG_SIZE);
  CHECK(cl().clSetKernelArg(kernel, 0, sizeof x, &kernel) == CL_INVALID_MEM_OBJECT);
  CHECK(cl().clSetKernelArg(kernel, 0, sizeof x, &none) == CL_SUCCESS);
  CHECK(cl().clSetKernelArg(kernel, 2, 0, nullptr) == CL_INVALID_ARG_SIZE);
  CHECK(cl().clSetKernelArg(kernel, 2, 4, &n) == CL_INVALID_ARG_VALUE);
  CHECK(rig.enqueue(kernel, 1) == CL_INVALID_KERNEL_ARGS);

  CHECK(cl().clSetKernelArg(kernel, 1, 4, &n) == CL_SUCCESS);
  CHECK(cl().clSetKernelArg(kernel, 2, (64 << 10) + 1, nullptr) == CL_SUCCESS);
  CHECK(rig.enqueue(kernel, 1) == CL_OUT_OF_RESOURCES);
  CHECK(cl().clSetKernelArg(kernel, 2, 16, nullptr) == CL_SUCCESS);
  CHECK(rig.enqueue(kernel, 1) == CL_SUCCESS);
}

TEST_CASE("ranges and groups are checked as by a strict driver", "[stub_icd][driver]") {
  RawRig rig;
  cl_kernel kernel =
      rig.kernel("kernel __attribute__((reqd_work_group_size(8, 1, 1))) void line(global ulong* x) {}\n", "line");
  cl_kernel any = rig.kernel("kernel void any() {}", "any");
  cl_mem x = rig.buffer(256);
  REQUIRE(set_arguments(kernel, x) == CL_SUCCESS);
  const auto run = [&](cl_kernel which, cl_uint dimensions, std::array<std::size_t, 3> global,
                       std::array<std::size_t, 3> local) {
    return cl().clEnqueueNDRangeKernel(rig.queue, which, dimensions, nullptr, global.data(), local.data(), 0, nullptr,
                                       nullptr);
  };

  CHECK(run(any, 0, {1, 1, 1}, {1, 1, 1}) == CL_INVALID_WORK_DIMENSION);
  CHECK(run(any, 4, {1, 1, 1}, {1, 1, 1}) == CL_INVALID_WORK_DIMENSION);
  CHECK(run(any, 1, {0, 1, 1}, {1, 1, 1}) == CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(run(any, 1, {64, 1, 1}, {24, 1, 1}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(run(any, 1, {64, 1, 1}, {0, 1, 1}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(run(any, 1, {2048, 1, 1}, {2048, 1, 1}) == CL_INVALID_WORK_ITEM_SIZE);
  CHECK(run(any, 2, {64, 64, 1}, {64, 64, 1}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(run(kernel, 1, {16, 1, 1}, {4, 1, 1}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(run(kernel, 1, {16, 1, 1}, {8, 1, 1}) == CL_SUCCESS);
  CHECK(rig.enqueue(kernel, 12) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(rig.enqueue(reinterpret_cast<cl_kernel>(x), 12) == CL_INVALID_KERNEL);
}

TEST_CASE("transfers are checked as by a strict driver", "[stub_icd][driver]") {
  RawRig rig;
  RawRig other;
  cl_mem x = rig.buffer(256);
  cl_mem hidden = rig.buffer(256, CL_MEM_HOST_NO_ACCESS);
  std::array<std::byte, 512> host{};
  const auto read_code = [&](cl_mem from, std::size_t offset, std::size_t size, void* to) {
    return cl().clEnqueueReadBuffer(rig.queue, from, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  };
  cl_int code = 0;

  CHECK(cl().clCreateBuffer(rig.context, 0, 0, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_BUFFER_SIZE);
  CHECK(cl().clCreateBuffer(rig.context, 0, std::size_t{1} << 40, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_BUFFER_SIZE);
  CHECK(cl().clCreateBuffer(rig.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(cl().clCreateBuffer(rig.context, CL_MEM_COPY_HOST_PTR, 4, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_HOST_PTR);
  CHECK(read_code(x, 200, 57, host.data()) == CL_INVALID_VALUE);
  CHECK(read_code(x, SIZE_MAX, 2, host.data()) == CL_INVALID_VALUE);
  CHECK(read_code(x, 0, 0, host.data()) == CL_INVALID_VALUE);
  CHECK(read_code(x, 0, 4, nullptr) == CL_INVALID_VALUE);
  CHECK(read_code(nullptr, 0, 4, host.data()) == CL_INVALID_MEM_OBJECT);
  CHECK(read_code(hidden, 0, 4, host.data()) == CL_INVALID_OPERATION);
  CHECK(read_code(other.buffer(16), 0, 4, host.data()) == CL_INVALID_CONTEXT);
  CHECK(cl().clEnqueueCopyBuffer(rig.queue, x, x, 0, 8, 16, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
  CHECK(cl().clEnqueueFillBuffer(rig.queue, x, host.data(), 3, 0, 3, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(cl().clEnqueueFillBuffer(rig.queue, x, host.data(), 4, 2, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  cl_event foreign = other.user_event();
  CHECK(cl().clEnqueueMarkerWithWaitList(rig.queue, 1, &foreign, nullptr) == CL_INVALID_CONTEXT);
  CHECK(cl().clEnqueueMarkerWithWaitList(rig.queue, 0, &foreign, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(cl().clEnqueueMarkerWithWaitList(rig.queue, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(cl().clSetUserEventStatus(foreign, CL_COMPLETE) == CL_SUCCESS);
}

TEST_CASE("a program that does not compile says where, as clang does", "[stub_icd][driver]") {
  RawRig rig;
  cl_program broken = rig.program("kernel void k() {\n  if (1) {\n}\n");
  cl_program refused = rig.program("kernel void k() {}\n#error not today\n");

  CHECK(rig.build(broken) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(rig.build_log(broken) == "<source>:3:1: error: expected '}'\n1 error generated.\n");
  CHECK(rig.build(refused) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(rig.build_log(refused) == "<source>:2:1: error: not today\n1 error generated.\n");
  cl_int code = 0;
  CHECK(cl().clCreateKernel(broken, "k", &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("a binary gives the program back, a damaged one is refused", "[stub_icd][driver]") {
  RawRig rig;
  cl_program program = rig.program(kAdvance);
  REQUIRE(rig.build(program) == CL_SUCCESS);
  std::size_t size = 0;
  REQUIRE(cl().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  REQUIRE(cl().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr) == CL_SUCCESS);
  const auto load = [&](const std::vector<unsigned char>& bytes, cl_int& code) {
    const unsigned char* from = bytes.data();
    const std::size_t count = bytes.size();
    return cl().clCreateProgramWithBinary(rig.context, 1, &rig.device, &count, &from, nullptr, &code);
  };
  cl_int code = 0;

  cl_program loaded = load(binary, code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(rig.build(loaded) == CL_SUCCESS);
  cl_kernel kernel = cl().clCreateKernel(loaded, "advance", &code);
  CHECK(code == CL_SUCCESS);
  CHECK(rig.build(loaded) == CL_INVALID_OPERATION);  // a kernel is out
  CHECK(cl().clReleaseKernel(kernel) == CL_SUCCESS);
  CHECK(cl().clReleaseProgram(loaded) == CL_SUCCESS);

  for (std::size_t at = 0; at < size; ++at) {
    auto damaged = binary;
    damaged[at] = static_cast<unsigned char>(damaged[at] ^ 1);
    CHECK(load(damaged, code) == nullptr);
    CHECK(code == CL_INVALID_BINARY);
  }
  CHECK(load({binary.begin(), binary.begin() + static_cast<std::ptrdiff_t>(size / 2)}, code) == nullptr);
  CHECK(code == CL_INVALID_BINARY);
}

TEST_CASE("a build that is asked to tell ends on another thread", "[stub_icd][driver]") {
  RawRig rig;
  cl_program program = rig.program(kAdvance);
  struct Told {
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> elsewhere{false};
    std::atomic<bool> done{false};
  } told;

  REQUIRE(cl().clBuildProgram(
              program, 0, nullptr, nullptr,
              [](cl_program, void* data) {
                auto& self = *static_cast<Told*>(data);
                self.elsewhere = std::this_thread::get_id() != self.caller;
                self.done = true;
              },
              &told) == CL_SUCCESS);
  while (!told.done) std::this_thread::yield();

  CHECK(told.elsewhere);
  cl_build_status status = CL_BUILD_NONE;
  cl().clGetProgramBuildInfo(program, rig.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
  CHECK(status == CL_BUILD_SUCCESS);
}

TEST_CASE("use after release", "[.][stub_use_after_release]") {
  RawRig rig;
  cl_mem buffer = cl().clCreateBuffer(rig.context, CL_MEM_READ_WRITE, 16, nullptr, nullptr);
  cl().clReleaseMemObject(buffer);
  cl().clRetainMemObject(buffer);
}

TEST_CASE("use of what a command holds", "[.][stub_use_after_release_held]") {
  RawRig rig;
  cl_event gate = rig.user_event();
  cl_mem buffer = cl().clCreateBuffer(rig.context, CL_MEM_READ_WRITE, 16, nullptr, nullptr);
  const cl_uint pattern = 1;
  cl().clEnqueueFillBuffer(rig.queue, buffer, &pattern, 4, 0, 16, 1, &gate, nullptr);
  cl().clReleaseMemObject(buffer);
  cl().clRetainMemObject(buffer);
}

TEST_CASE("a handle used after its release ends the process with one line, also while a command holds its object",
          "[stub_icd][driver]") {
  const auto tag = GENERATE(as<std::string>{}, "[stub_use_after_release]", "[stub_use_after_release_held]");
  test::show_stubs();

  const auto result = test::run_hidden_test(tag);

  CHECK(result.exit_code != 0);
  CHECK_THAT(result.output, Catch::Matchers::Contains("anycl stub: clRetainMemObject: memory object 0x") &&
                                Catch::Matchers::Contains(" was used after its release\n"));
}

TEST_CASE("a million launches on one buffer arrive", "[stub_icd][driver]") {
  const int launches = test::rounds(1'000'000, 100'000);
  RawRig rig("plain", 0);
  cl_kernel kernel = rig.kernel("kernel void add(global int* x) { x[get_global_id(0)] += 1; }", "add");
  cl_mem x = rig.buffer(kSize * 4);
  write(rig, x, Uints(kSize));
  REQUIRE(set_arguments(kernel, x) == CL_SUCCESS);

  int refused = 0;
  for (int i = 0; i < launches; ++i) refused += rig.enqueue(kernel, 1) != CL_SUCCESS ? 1 : 0;

  CHECK(refused == 0);
  CHECK(read(rig, x)[0] == static_cast<cl_uint>(launches));
}
