// The stub hides no race of the program: with ThreadSanitizer, what is left unordered is reported.
// Needs: no driver
#include <atomic>
#include <thread>
#include <vector>

#include "stub_icd/raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"

#if defined(__SANITIZE_THREAD__)
#define ANYCL_HAS_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANYCL_HAS_THREAD_SANITIZER
#endif
#endif

using namespace anycl;
using Catch::Matchers::Contains;
using test::cl;
using test::RawRig;

namespace {

constexpr std::size_t kBytes = 4096;

/// Knows that a command has ended, and is not ordered after it: what looks at the command's results after this has to be
/// reported, however the threads run.
class Glimpse {
 public:
  explicit Glimpse(cl_event event) { cl().clSetEventCallback(event, CL_COMPLETE, &Glimpse::tell, this); }

  void wait() const {
    while (!ended_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }

 private:
  static void CL_CALLBACK tell(cl_event, cl_int, void* self) {
    static_cast<Glimpse*>(self)->ended_.store(true, std::memory_order_relaxed);
  }

  std::atomic<bool> ended_{false};
};

/// Fills a buffer from two queues; the second fill waits for the first one, or just for the same gate.
void fill_from_two_queues(bool ordered) {
  RawRig rig;
  cl_command_queue second = cl().clCreateCommandQueue(rig.context, rig.device, 0, nullptr);
  cl_mem x = rig.buffer(kBytes);
  const cl_uint pattern = 1;
  const cl_event gate = rig.user_event();
  cl_event events[2]{};
  cl().clEnqueueFillBuffer(rig.queue, x, &pattern, 4, 0, kBytes, 1, &gate, &events[0]);
  cl().clEnqueueFillBuffer(second, x, &pattern, 4, 0, kBytes, 1, ordered ? &events[0] : &gate, &events[1]);
  const Glimpse first_end(events[0]), second_end(events[1]);

  cl().clSetUserEventStatus(gate, CL_COMPLETE);
  first_end.wait();
  second_end.wait();

  cl().clFinish(rig.queue);
  cl().clFinish(second);
  for (cl_event event : events) cl().clReleaseEvent(event);
  cl().clReleaseCommandQueue(second);
}

/// Looks at what a read brings, after waiting for it as OpenCL asks, or not.
void look_at_what_is_read(bool waits) {
  RawRig rig;
  std::vector<cl_uint> host(kBytes / 4);
  const cl_event gate = rig.user_event();
  cl_event event = nullptr;
  cl().clEnqueueReadBuffer(rig.queue, rig.buffer(kBytes), CL_FALSE, 0, kBytes, host.data(), 1, &gate, &event);
  const Glimpse end(event);

  cl().clSetUserEventStatus(gate, CL_COMPLETE);
  end.wait();
  if (waits) cl().clWaitForEvents(1, &event);
  host[0] += 1;

  cl().clFinish(rig.queue);
  cl().clReleaseEvent(event);
}

/// Two threads that set arguments, of a kernel object for each or of one for both.
void set_arguments_on_two_threads(bool one_each) {
  RawRig rig;
  constexpr const char* source = "kernel void k(uint n) {}";
  cl_kernel kernels[]{rig.kernel(source, "k"), rig.kernel(source, "k")};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 2; ++t)
    threads.emplace_back([kernel = kernels[one_each ? t : 0]] {
      for (cl_uint n = 0; n < 100; ++n) static_cast<void>(test::set_arguments(kernel, n));
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("ordered fills", "[.][stub_fills_ordered]") { fill_from_two_queues(true); }
TEST_CASE("unordered fills", "[.][stub_fills_unordered]") { fill_from_two_queues(false); }
TEST_CASE("read and waited", "[.][stub_read_ordered]") { look_at_what_is_read(true); }
TEST_CASE("read and not waited", "[.][stub_read_unordered]") { look_at_what_is_read(false); }
TEST_CASE("a kernel for each thread", "[.][stub_kernels_ordered]") { set_arguments_on_two_threads(true); }
TEST_CASE("a kernel for two threads", "[.][stub_kernels_unordered]") { set_arguments_on_two_threads(false); }

TEST_CASE("ThreadSanitizer sees what a program leaves unordered, and nothing else", "[stub_icd][thread_sanitizer]") {
#ifdef ANYCL_HAS_THREAD_SANITIZER
  const auto what = GENERATE(as<std::string>{}, "fills", "read", "kernels");
  test::show_stubs();

  const auto ordered = test::run_hidden_test("[stub_" + what + "_ordered]");
  const auto unordered = test::run_hidden_test("[stub_" + what + "_unordered]");

  CAPTURE(ordered.output);
  CHECK(ordered.exit_code == 0);
  CHECK(unordered.exit_code != 0);
  CHECK_THAT(unordered.output, Contains("ThreadSanitizer: data race"));
#else
  ANYCL_SKIP("built without ThreadSanitizer");
#endif
}
