#include "device/throughput.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace anycl::detail {
namespace {

struct Lanes {
  std::uint32_t vendor_id;
  std::uint32_t
      per_unit;  ///< single-precision multiply-adds a clock and compute unit, as that maker's drivers count units
};

// Source: the makers' architecture papers, generations since 2014; a factor of two between generations is not told apart.
constexpr Lanes kLanes[] = {
    {0x10DE, 128},  // NVIDIA: a unit is a streaming multiprocessor
    {0x1002, 64},   // AMD: a compute unit
    {0x8086, 8},    // Intel: an execution unit
    {0x106B, 128},  // Apple: a GPU core
    {0x5143, 128},  // Qualcomm: a shader processor
    {0x13B5, 16},   // ARM: a shader core
};
constexpr std::uint32_t kLanesOfOthers = 64;

std::uint32_t lanes_of(const Device& device) noexcept {
  const Capabilities& facts = device.capabilities();
  if (device.kind() == DeviceKind::cpu) return std::max(1u, facts.native_vector_widths.fp32.value_or(4));
  const auto* const found = std::find_if(std::begin(kLanes), std::end(kLanes),
                                         [&](const Lanes& lanes) { return lanes.vendor_id == facts.vendor_id; });
  return found == std::end(kLanes) ? kLanesOfOthers : found->per_unit;
}

}  // namespace

double estimated_gflops(const Device& device) noexcept {
  constexpr double kOperationsOfMultiplyAdd = 2;
  const Capabilities& facts = device.capabilities();
  return facts.compute_units * (facts.clock_mhz * 1e-3) * lanes_of(device) * kOperationsOfMultiplyAdd;
}

}  // namespace anycl::detail
