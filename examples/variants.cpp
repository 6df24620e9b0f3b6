/// \file  One kernel source, built in several variants: constants and types are decided when it is built.
#include <anycl/anycl.hpp>

#include <cstdio>
#include <vector>

#include "kernels.hpp"

int main() {
  const std::size_t n = 100;
  anycl::Context context;
  anycl::Queue queue(context, context.device(0));
  const anycl::Buffer<int> from(context, std::vector<int>(n, 1));
  anycl::Buffer<int> to(context, n);
  // [readme:variants]
  const anycl::BuildOptions options = anycl::BuildOptions{{"T", anycl::type<int>}, {"RADIUS", 1}}
                                          .set(anycl::BuildFlag::mad_enable)
                                          .warnings(anycl::Warnings::errors);
  const anycl::Kernel window_sum(context, kernels::variants, "window_sum", options);
  const anycl::Kernel wide = window_sum.specialise({{"RADIUS", 8}});  // the rest stays; equal variants are one build
  launch(queue, wide, n, from, to, n);
  // [/readme]
  if (const int sum = to_host(to)[n / 2]; sum != 17) {
    std::printf("variants: the sum of 17 ones is %d\n", sum);
    return 1;
  }
  launch(queue, window_sum, n, from, to, n);
  const int sum = to_host(to)[n / 2];
  std::printf("sums of 17 and of %d\n", sum);
  return sum == 3 ? 0 : 1;
}
