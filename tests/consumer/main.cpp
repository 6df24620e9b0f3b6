#include <anycl/anycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "kernels.hpp"

int main() {
  const std::size_t n = 1000;
  std::vector<float> host_x(n), host_y(n, 1.0f);
  for (std::size_t i = 0; i < n; ++i) host_x[i] = static_cast<float>(i);

  anycl::Context context;
  anycl::Kernel saxpy(context, kernels::saxpy, "saxpy");
  anycl::Buffer<float> x(context, host_x), y(context, host_y);
  anycl::Queue queue(context, context.device(0));
  launch(queue, saxpy, n, 2.0f, x, y, n).wait();

  const std::vector<float> result = to_host(y);
  for (std::size_t i = 0; i < n; ++i) {
    const float want = 2.0f * static_cast<float>(i) + 1.0f;  // small integers: exact
    if (result[i] != want) {
      std::printf("saxpy: element %zu is %g, not %g\n", i, result[i], want);
      return 1;
    }
  }
  std::printf("saxpy: %zu elements right\n", n);
}
