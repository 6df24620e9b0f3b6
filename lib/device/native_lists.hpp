/// \file  Lists of native handles. Layer 1 (device).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "device/opencl.hpp"

namespace anycl::detail {

/// More platforms or devices than any machine has.
inline constexpr cl_uint kMostHandles = 4096;

/// The list behind a "how many, then which" call; empty on any refusal, whatever the count then holds, and for a count
/// that no machine has. Where the driver counts more than it gives, what it gives.
template <class Id, class Get>
std::vector<Id> list_ids(Get&& get) {
  cl_uint count = 0;
  if (get(0, nullptr, &count) != CL_SUCCESS || count == 0 || count > kMostHandles) return {};
  std::vector<Id> ids(count);
  cl_uint filled = 0;
  if (get(count, ids.data(), &filled) != CL_SUCCESS) return {};
  ids.resize(std::min(count, filled));
  std::erase(ids, nullptr);
  return ids;
}

[[nodiscard]] std::vector<cl_platform_id> list_platforms();

/// The library that a platform's code is in; empty when unknown, or when there is no ICD loader between.
[[nodiscard]] std::string driver_file(cl_platform_id platform);

}  // namespace anycl::detail
