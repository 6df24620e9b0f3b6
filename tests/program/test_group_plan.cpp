// Needs: a driver
#include "program/group_plan.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "anycl/anycl.hpp"
#include "device/device_record.hpp"
#include "program/kernel_core.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"

using namespace anycl;
using detail::BuiltKernel;
using detail::RangeLimits;

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t k32Bits = std::numeric_limits<std::uint32_t>::max();

__extension__ typedef __int128 WideNumber;

/// Gives a built kernel and what its device can do to `body`.
template <class Body>
void for_each_kernel(Body&& body) {
  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context, "kernel void k(global int* x) { *x = 1; }", "k");
    const BuiltKernel& built = kernel.core()->on_device(rig.context.core()->index_of(rig.device));
    body(built, rig.device.capabilities());
  });
}

std::string refusal(const BuiltKernel& kernel, const Capabilities& device, const Range& range,
                    const RangeLimits& limits = {}) {
  try {
    static_cast<void>(plan_groups(range, kernel, device, "launch k", limits));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a range of more work-items than 64 bits count is refused", "[program][group_plan]") {
  for_each_kernel([](const BuiltKernel& kernel, Capabilities device) {
    device.address_bits = 64;

    CHECK(refusal(kernel, device, Range(kMost)) == "accepted");
    CHECK(refusal(kernel, device, Range(k32Bits, k32Bits)) == "accepted");
    CHECK(refusal(kernel, device, Range(std::uint64_t{1} << 32, std::uint64_t{1} << 32)) ==
          "launch k: global size {4294967296, 4294967296} has more work-items than 18446744073709551615");
    CHECK(refusal(kernel, device, Range(kMost, 1, 2)).ends_with("more work-items than 18446744073709551615"));
    CHECK(
        refusal(kernel, device, Range({kMost - 1, 2}, {2, 1})).ends_with("more work-items than 18446744073709551615"));
    CHECK(refusal(kernel, device, Range(kMost, 0, kMost)) == "accepted");
  });
}

TEST_CASE("a device with addresses of 32 bits runs no more work-items than they count", "[program][group_plan]") {
  for_each_kernel([](const BuiltKernel& kernel, Capabilities device) {
    device.address_bits = 32;

    CHECK(refusal(kernel, device, Range(k32Bits)) == "accepted");
    CHECK(refusal(kernel, device, Range(k32Bits + 1)) ==
          "launch k: global size {4294967296} is over the device's limit of 4294967295 in dimension 0");
    CHECK(refusal(kernel, device, Range(1, k32Bits + 1)).ends_with("limit of 4294967295 in dimension 1"));
    CHECK(refusal(kernel, device, Range(65536, 65536)).ends_with("has more work-items than 4294967295"));
    CHECK(refusal(kernel, device, Range(k32Bits).padded()).ends_with("limit of 4294967295 in dimension 0"));
  });
}

TEST_CASE("limits of a driver count by dimension and in all", "[program][group_plan]") {
  for_each_kernel([](const BuiltKernel& kernel, Capabilities device) {
    device.address_bits = 64;
    const RangeLimits limits{.max_global_items = 100, .max_total_items = 1000};

    CHECK(refusal(kernel, device, Range(100, 10), limits) == "accepted");
    CHECK(refusal(kernel, device, Range(101, 1), limits) ==
          "launch k: global size {101, 1} is over the device's limit of 100 in dimension 0");
    CHECK(refusal(kernel, device, Range(100, 11), limits) ==
          "launch k: global size {100, 11} has more work-items than 1000");
    CHECK(refusal(kernel, device, Range({100, 11}, {1, 1}), limits).ends_with("has more work-items than 1000"));
  });
}

TEST_CASE("drivers that end the process at sizes they cannot count are known", "[program][group_plan]") {
  test::for_each_device([](test::Rig& rig) {
    const RangeLimits limits = rig.device.record().faults.range_limits();
    const std::string& driver = rig.device.platform_alias();

    CHECK(limits.max_global_items == (driver == "rusticl" ? k32Bits : kMost));
    CHECK(limits.max_total_items == (driver == "pocl" ? kMost / 2 : kMost));
  });
}

TEST_CASE("a size of more than 64 bits cannot be given", "[program][group_plan]") {
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Extents, WideNumber>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Range, WideNumber>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Range, int, WideNumber>);
  STATIC_REQUIRE(std::is_constructible_v<Range, std::uint64_t, std::int8_t>);
}
