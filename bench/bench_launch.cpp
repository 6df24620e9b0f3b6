// What a launch costs above raw OpenCL: `launch(queue, ...)` of a small kernel with three arguments beside
// clSetKernelArg x 3 + clEnqueueNDRangeKernel with an event, 1000 per finish, in one run. Prints medians and ratios.
//   bench_launch [--benchmark_filter=pocl] ...
// The fake driver does nothing, so its difference is anycl's own time.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "device/entry_points.hpp"
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

template <void (Bench::*Launch)(), void (Bench::*Finish)()>
void run(benchmark::State& state, const std::shared_ptr<Bench>& bench) {
  for ([[maybe_unused]] auto round : state) {
    for (int i = 0; i < kLaunchesPerFinish; ++i) (bench.get()->*Launch)();
    (bench.get()->*Finish)();
  }
  state.SetItemsProcessed(state.iterations() * kLaunchesPerFinish);
}

void register_pair(const std::string& device, const std::shared_ptr<Bench>& bench) {
  // Copied into the closures: a bench lives as long as the benchmarks do.
  const auto add = [&](const std::string& side, auto function) {
    benchmark::RegisterBenchmark((device + "/" + side).c_str(), [=](benchmark::State& s) { function(s, bench); })
        ->Repetitions(9)
        ->MinTime(0.1)
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add("raw", &run<&Bench::launch_raw, &Bench::finish_raw>);
  add("anycl", &run<&Bench::launch_anycl, &Bench::finish_anycl>);
}

/// Prints what Google Benchmark prints, and remembers medians.
class RatioReporter final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& entry : runs)
      if (entry.aggregate_name == "median")
        medians_[entry.run_name.function_name] = entry.GetAdjustedRealTime() / kLaunchesPerFinish;
  }

  void print_ratios() const {
    for (const auto& [name, raw] : medians_) {
      const auto slash = name.rfind("/raw");
      if (slash == std::string::npos) continue;
      const auto ours = medians_.find(name.substr(0, slash) + "/anycl");
      if (ours == medians_.end()) continue;
      std::printf("%-12s raw %.3f us, anycl %.3f us a launch: %.2fx, %+.3f us\n", name.substr(0, slash).c_str(), raw,
                  ours->second, ours->second / raw, ours->second - raw);
    }
  }

 private:
  std::map<std::string, double> medians_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const anycl::Device& device : anycl::discover().devices())
    register_pair(device.platform_alias(), std::make_shared<Bench>(device));
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  {
    const anycl::detail::ScopedEntryPoints fake(anycl::test::fake_driver());
    register_pair("fake", std::make_shared<Bench>(anycl::discover().devices().front()));
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::ClearRegisteredBenchmarks();
  }
  reporter.print_ratios();
}
