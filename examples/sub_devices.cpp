/// \file  A device divided in two parts that work on one buffer. Where the device is of one unit, or its driver cannot divide
/// it, the program says so.
#include <anycl/anycl.hpp>
#include <anycl/base/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

int run() {
  // [readme:sub_devices]
  const anycl::Device whole = anycl::Context().device(0);
  const std::uint32_t units = whole.capabilities().compute_units;
  // [/readme]
  if (units < 2) {
    std::puts("a device of one compute unit has no parts");
    return 0;
  }
  // [readme:sub_devices]
  const std::vector<anycl::Device> parts = partition_by_counts(whole, std::array{1u, units - 1});

  anycl::Context context(parts);
  anycl::Queue background(context, parts[0]);  // one compute unit
  anycl::Queue foreground(context, parts[1]);  // the others
  anycl::Buffer<int> values(context, 1000);
  fill(background, values, 1);
  fill(foreground, values, 2, 500, 500);  // waits for the other part: the buffer says so
  // [/readme]

  std::vector<int> wanted(1000, 1);
  std::fill(wanted.begin() + 500, wanted.end(), 2);
  if (to_host(values) != wanted) {
    std::puts("sub_devices: wrong values");
    return 1;
  }
  std::printf("%s: 1 and %u of %u units worked on one buffer\n", whole.name().c_str(), units - 1, units);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const anycl::Unsupported& error) {
    std::printf("not divided: %s\n", error.what());
    return 0;
  }
}
