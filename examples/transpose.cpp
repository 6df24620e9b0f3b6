/// \file  Two dimensions, an explicit group size, local memory as an argument, and device time.
#include <anycl/anycl.hpp>

#include <cstdio>
#include <numeric>
#include <optional>
#include <vector>

#include "kernels.hpp"

int main() {
  const std::size_t width = 1000, height = 37;
  const std::size_t side = 4;  // 16 work-items in a group: some drivers take no more than 32
  std::vector<float> matrix(width * height);
  std::iota(matrix.begin(), matrix.end(), 0.0f);

  anycl::Context context;
  anycl::Kernel transpose(context, kernels::transpose, "transpose");
  anycl::Buffer<float> from(context, matrix), to(context, matrix.size());

  // [readme:transpose]
  using anycl::Range, anycl::local;
  anycl::Queue queue(context, context.device(0), {.profiling = true});
  const Range range = Range{{width, height}, {side, side}}.padded();
  const anycl::Event done = launch(queue, transpose, range, from, to, width, height, local<float>(side * side));
  done.wait();                                                       // throws what the launch failed with
  const std::optional<std::uint64_t> duration = done.duration_ns();  // empty where the driver's clock cannot be trusted
  // [/readme]

  const std::vector<float> result = to_host(to);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      if (result[x * height + y] != matrix[y * width + x]) {
        std::printf("transpose: element (%zu, %zu) is wrong\n", x, y);
        return 1;
      }
    }
  }
  std::printf("%zu x %zu transposed", width, height);
  if (duration) std::printf(" in %.1f us of device time", static_cast<double>(*duration) / 1000.0);
  std::printf("\n");
}
