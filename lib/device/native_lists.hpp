/// \file  Lists of native handles. Layer 1 (device).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "device/opencl.hpp"

namespace anycl::detail {

/// More platforms or devices than any machine has.
inline constexpr cl_uint kMostHandles = 4096;

template <class Id>
struct HandleList {
  std::vector<Id> handles{};
  cl_int refusal = CL_SUCCESS;  ///< with which the driver gave none
};

/// The list behind a "how many, then which" call; empty on any refusal, whatever the count then holds, and for a count
/// that no machine has. Where the driver counts more than it gives, what it gives.
/// \param nothing  the refusal that says that there is none
template <class Id, class Get>
HandleList<Id> list_handles(cl_int nothing, Get&& get) {
  cl_uint count = 0;
  cl_int code = get(0, nullptr, &count);
  if (code == nothing) return {};
  if (code != CL_SUCCESS) return {{}, code};
  if (count == 0 || count > kMostHandles) return {};
  HandleList<Id> list{std::vector<Id>(count)};
  cl_uint filled = 0;
  code = get(count, list.handles.data(), &filled);
  if (code != CL_SUCCESS) return {{}, code};
  list.handles.resize(std::min(count, filled));
  std::erase(list.handles, nullptr);
  return list;
}

[[nodiscard]] HandleList<cl_platform_id> list_platforms();
[[nodiscard]] HandleList<cl_device_id> list_devices(cl_platform_id platform);

/// The library that a platform's code is in; empty when unknown, or when there is no ICD loader between.
[[nodiscard]] std::string driver_file(cl_platform_id platform);

}  // namespace anycl::detail
