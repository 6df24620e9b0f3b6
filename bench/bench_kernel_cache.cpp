// What the kernel caches cost.
//   lookup     a Kernel made from source, name and options that are known already, in nanoseconds
//   disk hit   a program from the disk cache, until its kernel can be launched, beside clCreateProgramWithBinary +
//              clBuildProgram + clCreateKernel of the same binary; the two take turns, medians of all
//   bench_kernel_cache [--benchmark_filter=pocl] ...

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "device/device_record.hpp"
#include "device/entry_points.hpp"
#include "median.hpp"
#include "program/cache_entry.hpp"
#include "program/cache_folder.hpp"
#include "six_kernels.hpp"
#include "support/folder.hpp"

namespace {

using Clock = std::chrono::steady_clock;

const anycl::detail::EntryPoints& cl() { return anycl::detail::entry_points(); }

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

anycl::Event launch_magnitude(anycl::Context& context, anycl::Queue& queue, const anycl::Kernel& kernel) {
  struct Pair {
    float x, y;
  };
  return launch(queue, kernel, 16, anycl::Buffer<Pair>(context, 16), anycl::Buffer<float>(context, 16), 16);
}

void lookup(benchmark::State& state, const anycl::Device& device) {
  anycl::Context context(std::span(&device, 1));
  const anycl::Source source(kSixKernels, "six.cl");
  const anycl::Kernel kernel(context, source, "magnitude");
  kernel.prepare().wait();
  for (auto _ : state) {
    const anycl::Kernel again(context, source, "magnitude");
    benchmark::DoNotOptimize(again.prepare());
  }
}

/// How long a driver takes to make a kernel of a binary.
class Raw {
 public:
  Raw(const anycl::Device& device, std::vector<std::byte> binary)
      : device_(device.record().device), binary_(std::move(binary)) {}

  /// In a context of its own, as anycl's is: drivers load their libraries once for each.
  double load() const {
    cl_context context = make_context();
    const auto begin = Clock::now();
    const std::size_t size = binary_.size();
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary_.data());
    cl_program program = cl().clCreateProgramWithBinary(context, 1, &device_, &size, &bytes, nullptr, nullptr);
    cl().clBuildProgram(program, 1, &device_, "-cl-kernel-arg-info", nullptr, nullptr);
    cl_kernel kernel = cl().clCreateKernel(program, "magnitude", nullptr);
    const double spent = microseconds_since(begin);
    cl().clReleaseKernel(kernel);
    cl().clReleaseProgram(program);
    cl().clReleaseContext(context);
    return spent;
  }

 private:
  cl_context make_context() const { return cl().clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr); }

  cl_device_id device_;
  std::vector<std::byte> binary_;
};

double load_by_anycl(const anycl::Device& device) {
  anycl::Context context(std::span(&device, 1));
  static_cast<void>(kernel_cache_statistics(context));
  static_cast<void>(anycl::interop::native_context(context, device));
  const auto begin = Clock::now();
  const anycl::Kernel kernel(context, anycl::Source(kSixKernels, "six.cl"), "magnitude");
  kernel.prepare().wait();
  const double spent = microseconds_since(begin);
  if (kernel_cache_statistics(context).from_disk != 1) std::abort();
  return spent;
}

void store_by_anycl(const anycl::Device& device) {
  anycl::Context context(std::span(&device, 1));
  anycl::Queue queue(context, device);
  launch_magnitude(context, queue, anycl::Kernel(context, anycl::Source(kSixKernels, "six.cl"), "magnitude")).wait();
  flush_kernel_cache(context);
}

/// The binary in the one entry of a cache.
std::vector<std::byte> stored_binary(const std::string& path) {
  std::string problem;
  const auto folder = anycl::os::PrivateFolder::open(path, problem);
  const auto entries = anycl::detail::entries_by_use(*folder);
  const auto bytes = folder->read(entries->front().name, anycl::detail::kLargestEntry);
  return anycl::detail::decode(*bytes, *anycl::detail::read_secret(*folder))->entry.binary;
}

void disk_hit(benchmark::State& state, const anycl::Device& device) {
  const anycl::test::Folder folder;
  ::setenv("ANYCL_CACHE_DIR", folder.path().c_str(), 1);
  store_by_anycl(device);
  const Raw raw(device, stored_binary(folder.path()));
  std::vector<double> ours;
  std::vector<double> theirs;
  for (auto _ : state) {
    theirs.push_back(raw.load());
    ours.push_back(load_by_anycl(device));
    state.SetIterationTime(ours.back() * 1e-6);
  }
  state.counters["raw_us"] = median(theirs);
  state.counters["anycl_us"] = median(ours);
  state.counters["ratio"] = median(ours) / median(theirs);
}

}  // namespace

int main(int argc, char** argv) {
  for (const anycl::Device& device : anycl::discover().devices()) {
    const std::string name = device.platform_alias();
    benchmark::RegisterBenchmark(("lookup/" + name).c_str(), [device](auto& state) { lookup(state, device); });
    benchmark::RegisterBenchmark(("disk_hit/" + name).c_str(), [device](auto& state) { disk_hit(state, device); })
        ->UseManualTime()
        ->Iterations(200);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
