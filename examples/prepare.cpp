/// \file  Building kernels before they are needed.
#include <anycl/anycl.hpp>

#include <cstdio>
#include <vector>

#include "kernels.hpp"

int main() {
  anycl::Context context;
  anycl::Queue queue(context, context.device(0));
  anycl::Buffer<float> x(context, std::vector<float>(1000, 2.0f));

  // [readme:prepare]
  const std::vector<anycl::Kernel> all = {{context, kernels::prepare, "scale"}, {context, kernels::prepare, "shift"}};

  const anycl::Preparation preparation = all[0].prepare();  // returns at once; a launch would wait for the build
  while (!preparation.wait_for(std::chrono::milliseconds(100))) std::puts("still building");  // throws what went wrong

  anycl::warm(all, [](const anycl::WarmProgress& progress) {  // builds all, for every device, and stores them on disk
    std::printf("%zu of %zu: %s\n", progress.done, progress.total, progress.error ? "failed" : "ready");
  });
  // [/readme]

  launch(queue, all[0], x.size(), x, 3.0f);
  launch(queue, all[1], x.size(), x, 1.0f);
  const float first = to_host(x).front();
  std::printf("prepare: %.1f\n", first);
  return first == 7.0f ? 0 : 1;
}
