#include "program/group_plan.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"

namespace anycl {

void detail::throw_negative_extent(std::size_t dimension, std::int64_t value) {
  throw InvalidArgument(fmt::format("range: size {} in dimension {} is negative", value, dimension));
}

namespace detail {
namespace {

std::string sizes_text(const std::array<size_t, 3>& sizes, cl_uint dimensions) {
  return fmt::format("{{{}}}", fmt::join(sizes.begin(), sizes.begin() + dimensions, ", "));
}

/// Groups for a kernel that guards: wide in x, since neighbouring work-items should touch neighbouring elements.
std::array<size_t, 3> default_group(const GroupPlan& plan, size_t limit, const Capabilities& device) {
  constexpr size_t kGoodGroup = 64;
  const size_t x = std::min({kGoodGroup, limit, device.max_item_sizes[0], std::max<size_t>(1, plan.global[0])});
  return {x, 1, 1};
}

void check_group(const GroupPlan& plan, const BuiltKernel& kernel, const Capabilities& device,
                 std::string_view subject) {
  const size_t limit = std::min(kernel.max_group_size, device.max_group_size);
  size_t product = 1;
  for (cl_uint i = 0; i < plan.dimensions; ++i) {
    if (plan.local[i] == 0)
      throw InvalidArgument(fmt::format("{}: local size {} is zero in dimension {}", subject,
                                        sizes_text(plan.local, plan.dimensions), i));
    if (plan.local[i] > device.max_item_sizes[i] || plan.local[i] > limit / product)
      throw InvalidArgument(
          fmt::format("{}: local size {} is over the limit: {} work-items in a group, {} in dimension {}", subject,
                      sizes_text(plan.local, plan.dimensions), limit, device.max_item_sizes[i], i));
    product *= plan.local[i];
  }
}

void check_required(const GroupPlan& plan, const BuiltKernel& kernel, std::string_view subject) {
  if (!kernel.required_group || *kernel.required_group == plan.local) return;
  throw InvalidArgument(fmt::format("{}: local size {} given, but the kernel requires {}", subject,
                                    sizes_text(plan.local, plan.dimensions), sizes_text(*kernel.required_group, 3)));
}

/// A required group that is wider in a dimension than the range has cannot run.
void check_required_fits(const std::array<size_t, 3>& required, cl_uint dimensions, std::string_view subject) {
  if (std::all_of(required.begin() + dimensions, required.end(), [](size_t size) { return size == 1; })) return;
  throw InvalidArgument(fmt::format("{}: the kernel requires groups of {}, the range has {} dimensions", subject,
                                    sizes_text(required, 3), dimensions));
}

void fit_global(GroupPlan& plan, bool padded, std::string_view subject) {
  for (cl_uint i = 0; i < plan.dimensions; ++i) {
    const size_t rest = plan.global[i] % plan.local[i];
    if (rest == 0) continue;
    if (!padded)
      throw InvalidArgument(fmt::format(
          "{}: local size {} does not divide global size {}; if the kernel guards against work-items past the end, use "
          "Range::padded()",
          subject, sizes_text(plan.local, plan.dimensions), sizes_text(plan.global, plan.dimensions)));
    const size_t more = plan.local[i] - rest;
    if (plan.global[i] > std::numeric_limits<size_t>::max() - more)
      throw InvalidArgument(fmt::format("{}: global size {} cannot be rounded up", subject, plan.global[i]));
    plan.global[i] += more;
  }
}

/// No dimension, and not all together, may have more work-items than the device counts.
void check_global(const GroupPlan& plan, RangeLimits limits, const Capabilities& device, std::string_view subject) {
  const std::uint64_t addresses = std::numeric_limits<std::uint64_t>::max() >> (device.address_bits == 32 ? 32 : 0);
  limits.max_global_items = std::min(limits.max_global_items, addresses);
  limits.max_total_items = std::min(limits.max_total_items, addresses);
  std::uint64_t total = 1;
  for (cl_uint i = 0; i < plan.dimensions; ++i) {
    if (plan.global[i] > limits.max_global_items)
      throw InvalidArgument(fmt::format("{}: global size {} is over the device's limit of {} in dimension {}", subject,
                                        sizes_text(plan.global, plan.dimensions), limits.max_global_items, i));
    if (plan.global[i] > limits.max_total_items / total)
      throw InvalidArgument(fmt::format("{}: global size {} has more work-items than {}", subject,
                                        sizes_text(plan.global, plan.dimensions), limits.max_total_items));
    total *= plan.global[i];
  }
}

/// Chooses `plan.local`, or leaves it to the driver.
void choose_group(GroupPlan& plan, const Range& range, const BuiltKernel& kernel, const Capabilities& device,
                  std::string_view subject) {
  if (range.has_local()) {
    if (range.local().dimensions() != range.global().dimensions())
      throw InvalidArgument(fmt::format("{}: local size has {} dimensions, global size {}", subject,
                                        range.local().dimensions(), range.global().dimensions()));
    std::copy_n(range.local().data(), 3, plan.local.begin());
    check_required(plan, kernel, subject);
  } else if (kernel.required_group) {
    check_required_fits(*kernel.required_group, plan.dimensions, subject);
    plan.local = *kernel.required_group;
  } else if (range.is_padded()) {
    plan.local = default_group(plan, std::min(kernel.max_group_size, device.max_group_size), device);
  } else {
    return;
  }
  plan.has_local = true;
  check_group(plan, kernel, device, subject);
}

/// The largest divisor of `size` up to `limit`; one that is a multiple of `multiple` before any other.
size_t divisor_of(size_t size, size_t limit, size_t multiple) {
  size_t best = 1;
  for (size_t candidate = std::min(size, limit); candidate > 1; --candidate) {
    if (size % candidate != 0) continue;
    if (candidate % multiple == 0) return candidate;
    best = std::max(best, candidate);
  }
  return best;
}

Extents extents_of(const std::array<size_t, 3>& sizes, size_t dimensions) {
  if (dimensions == 1) return {sizes[0]};
  if (dimensions == 2) return {sizes[0], sizes[1]};
  return {sizes[0], sizes[1], sizes[2]};
}

}  // namespace

Extents suggest_group(const Extents& global, const KernelFacts& kernel, const Capabilities& device) {
  if (kernel.required_group) return extents_of(*kernel.required_group, global.dimensions());
  constexpr size_t kGoodGroup = 256;  // enough to hide latency, few enough for several groups at once
  size_t left = std::min({kGoodGroup, kernel.max_group_size, device.max_group_size});
  std::array<size_t, 3> group{1, 1, 1};
  for (size_t i = 0; i < global.dimensions(); ++i) {
    if (global[i] == 0) continue;
    group[i] = divisor_of(global[i], std::min(left, device.max_item_sizes[i]), i == 0 ? kernel.preferred_multiple : 1);
    left /= group[i];
  }
  return extents_of(group, global.dimensions());
}

GroupPlan plan_groups(const Range& range, const BuiltKernel& kernel, const Capabilities& device,
                      std::string_view subject, const RangeLimits& limits) {
  GroupPlan plan;
  plan.dimensions = static_cast<cl_uint>(range.global().dimensions());
  std::copy_n(range.global().data(), 3, plan.global.begin());
  plan.empty = std::find(plan.global.begin(), plan.global.end(), size_t{0}) != plan.global.end();
  choose_group(plan, range, kernel, device, subject);
  if (plan.empty) return plan;
  if (plan.has_local) fit_global(plan, range.is_padded(), subject);
  check_global(plan, limits, device, subject);
  return plan;
}

}  // namespace detail
}  // namespace anycl
