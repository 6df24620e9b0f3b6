// One process from its start to a first result, with anycl; first_result_raw.cpp does the same without.
// bench_first_result.py times both.
#include <anycl/anycl.hpp>

#include <cstdio>
#include <vector>

#include "first_result.hpp"
#include "six_kernels.hpp"

int main(int count, char**) {
  anycl::Context context;
  anycl::Queue queue(context, context.device(0));
  const anycl::Kernel magnitude(context, anycl::Source(kSixKernels, "six.cl"), "magnitude");
  const anycl::Buffer<Pair> from(context, std::vector<Pair>(kItems, Pair{3.0f, 4.0f}));
  const anycl::Buffer<float> to(context, kItems);
  launch(queue, magnitude, kItems, from, to, kItems);
  std::printf("%g\n", static_cast<double>(to_host(to).back()));
  if (count > 1) flush_kernel_cache(context);  // "store": a process that ends at once stores nothing
}
