/// \file  One buffer, every device of a context in turn. Each sees what the one before it wrote, also where the devices
/// belong to different drivers. With one device the program still runs, and passes the buffer around less.
#include <anycl/anycl.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "kernels.hpp"

int main() {
  const std::size_t n = 100;
  // [readme:two_devices]
  anycl::Context context("*");  // all drivers, even where two of them share one processor
  anycl::Kernel add(context, kernels::two_devices, "add");
  anycl::Buffer<std::uint64_t> values(context, n);

  std::uint64_t amount = 1;
  for (const anycl::Device& device : context.devices()) {
    anycl::Queue queue(context, device);
    if (amount == 1) fill(queue, values, 0);
    launch(queue, add, n, values, amount);  // waits for the device before it: the buffer says so
    amount *= 10;
  }
  const std::vector<std::uint64_t> sums = to_host(values);  // one device: 1, two: 11, three: 111
  // [/readme]

  const std::uint64_t want = (amount - 1) / 9;
  for (const std::uint64_t sum : sums) {
    if (sum != want) {
      std::printf("two_devices: %llu, not %llu\n", static_cast<unsigned long long>(sum),
                  static_cast<unsigned long long>(want));
      return 1;
    }
  }
  std::printf("devices: %zu, each element of their one buffer: %llu\n", context.devices().size(),
              static_cast<unsigned long long>(want));
}
