// What a launch costs above raw OpenCL: `launch(queue, ...)` of a small kernel with three arguments beside
// clSetKernelArg x 3 + clEnqueueNDRangeKernel with an event, 1000 per finish. The two take turns, so that what else the
// machine does hits both; medians over all turns.
//   bench_launch [--benchmark_filter=pocl] ...
// The fake driver does nothing, so its difference is anycl's own time.

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "device/entry_points.hpp"
#include "median.hpp"
#include "support/fake_driver.hpp"

namespace {

constexpr int kLaunchesPerFinish = 1000;
constexpr std::size_t kItems = 16;
constexpr const char* kSource =
    "kernel void work(global const float* x, global float* y, uint n) {"
    "  size_t i = get_global_id(0); if (i < n) y[i] += x[i]; }";

/// One device with its context, buffers and kernel on both sides.
class Bench {
 public:
  explicit Bench(const anycl::Device& device)
      : context_(std::span(&device, 1)),
        queue_(context_, device),
        kernel_(context_, kSource, "work"),
        x_(context_, std::vector<float>(kItems)),
        y_(context_, std::vector<float>(kItems)) {
    launch_anycl();
    queue_.finish();
    make_raw(device);
  }

  ~Bench() {
    cl().clReleaseKernel(raw_kernel_);
    cl().clReleaseProgram(raw_program_);
    for (cl_mem memory : raw_memory_) cl().clReleaseMemObject(memory);
  }

  void launch_anycl() { benchmark::DoNotOptimize(launch(queue_, kernel_, kItems, x_, y_, kItems)); }

  void launch_raw() {
    const cl_uint n = kItems;
    const size_t global = kItems;
    cl_event event = nullptr;
    cl().clSetKernelArg(raw_kernel_, 0, sizeof(cl_mem), &raw_memory_[0]);
    cl().clSetKernelArg(raw_kernel_, 1, sizeof(cl_mem), &raw_memory_[1]);
    cl().clSetKernelArg(raw_kernel_, 2, sizeof n, &n);
    cl().clEnqueueNDRangeKernel(raw_queue_, raw_kernel_, 1, nullptr, &global, nullptr, 0, nullptr, &event);
    cl().clReleaseEvent(event);
  }

  void finish_anycl() { queue_.finish(); }
  void finish_raw() { cl().clFinish(raw_queue_); }

 private:
  static const anycl::detail::EntryPoints& cl() { return anycl::detail::entry_points(); }

  void make_raw(const anycl::Device& device) {
    cl_context context = anycl::interop::native_context(context_, device);
    raw_queue_ = anycl::interop::native_queue(queue_);
    const char* source = kSource;
    raw_program_ = cl().clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    cl().clBuildProgram(raw_program_, 0, nullptr, "", nullptr, nullptr);
    raw_kernel_ = cl().clCreateKernel(raw_program_, "work", nullptr);
    for (cl_mem& memory : raw_memory_)
      memory = cl().clCreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(float), nullptr, nullptr);
  }

  anycl::Context context_;
  anycl::Queue queue_;
  anycl::Kernel kernel_;
  anycl::Buffer<float> x_, y_;
  cl_command_queue raw_queue_ = nullptr;
  cl_program raw_program_ = nullptr;
  cl_kernel raw_kernel_ = nullptr;
  cl_mem raw_memory_[2]{};
};

/// Time per launch of one batch, in microseconds.
template <void (Bench::*Launch)(), void (Bench::*Finish)()>
double time_batch(Bench& bench) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kLaunchesPerFinish; ++i) (bench.*Launch)();
  (bench.*Finish)();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() /
         kLaunchesPerFinish;
}

void run(benchmark::State& state, Bench& bench) {
  std::vector<double> raw, anycl, ratio;
  for ([[maybe_unused]] auto round : state) {
    raw.push_back(time_batch<&Bench::launch_raw, &Bench::finish_raw>(bench));
    anycl.push_back(time_batch<&Bench::launch_anycl, &Bench::finish_anycl>(bench));
    ratio.push_back(anycl.back() / raw.back());
  }
  state.counters["raw_us"] = median(raw);
  state.counters["anycl_us"] = median(anycl);
  state.counters["above_us"] = median(anycl) - median(raw);
  state.counters["ratio"] = median(ratio);
}

void run_on(const anycl::Device& device, benchmark::BenchmarkReporter& reporter) {
  const std::string name = device.platform_alias() + "/1000 launches of each";
  const auto bench = std::make_shared<Bench>(device);
  benchmark::RegisterBenchmark(name.c_str(), [bench](benchmark::State& state) { run(state, *bench); })
      ->Iterations(300)
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::ConsoleReporter reporter(benchmark::ConsoleReporter::OO_Tabular);
  for (const anycl::Device& device : anycl::discover().devices()) run_on(device, reporter);
  const anycl::detail::ScopedEntryPoints fake(anycl::test::fake_driver());
  run_on(anycl::discover().devices().front(), reporter);
}
