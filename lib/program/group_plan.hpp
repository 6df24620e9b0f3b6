/// \file  From the range a caller asks for to the sizes a driver gets. Layer 3 (program).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "anycl/device/device.hpp"
#include "anycl/program/range.hpp"
#include "device/device_record.hpp"
#include "program/built_program.hpp"

namespace anycl::detail {

struct GroupPlan {
  cl_uint dimensions = 1;
  std::array<size_t, 3> global{1, 1, 1};
  std::array<size_t, 3> local{1, 1, 1};
  bool has_local = false;  ///< false: the driver chooses groups
  bool empty = false;      ///< no work-item at all

  [[nodiscard]] const size_t* local_or_null() const noexcept { return has_local ? local.data() : nullptr; }
};

/// `limits` are the driver's, beside what `device` says.
/// \throws InvalidArgument  naming the sizes and the limit they break.
[[nodiscard]] GroupPlan plan_groups(const Range& range, const BuiltKernel& kernel, const Capabilities& device,
                                    std::string_view subject, const RangeLimits& limits = {});

/// Groups that fill the device for a range without a rest: what `kernel` requires, else a size that divides `global` in each
/// dimension, wide in x, and where that can be a multiple of what the device prefers.
[[nodiscard]] Extents suggest_group(const Extents& global, const KernelFacts& kernel, const Capabilities& device);

}  // namespace anycl::detail
