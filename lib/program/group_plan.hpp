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

}  // namespace anycl::detail
