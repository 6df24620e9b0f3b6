/// \file  The smallest whole program: one embedded kernel, two buffers, one launch.
// [readme:saxpy]
#include <anycl/anycl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

#include "kernels.hpp"  // written by anycl_embed_kernels() from saxpy.cl

int main() {
  const std::size_t n = 1000;
  std::vector<float> host_x(n), host_y(n, 1.0f);
  std::iota(host_x.begin(), host_x.end(), 0.0f);

  anycl::Context context;                                 // every usable device, best first
  anycl::Kernel saxpy(context, kernels::saxpy, "saxpy");  // built for a device when it is first launched there
  anycl::Buffer<float> x(context, host_x), y(context, host_y);

  anycl::Queue queue(context, context.device(0));
  launch(queue, saxpy, n, 2.0f, x, y, n);        // checked, then enqueued; does not wait
  const std::vector<float> result = to_host(y);  // after the launch, because that wrote y; waits
  // [/readme]

  for (std::size_t i = 0; i < n; ++i) {
    if (const float want = 2.0f * host_x[i] + 1.0f; result[i] != want) {  // small integers: exact
      std::printf("saxpy: element %zu is %g, not %g\n", i, static_cast<double>(result[i]), static_cast<double>(want));
      return 1;
    }
  }
  // [readme:saxpy]
  std::printf("%s: y[999] = %g\n", context.device(0).name().c_str(), static_cast<double>(result[999]));
}
// [/readme]
