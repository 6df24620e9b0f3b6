/// \file  What a compiler made of a kernel. Layer 3 (program).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "anycl/device/device.hpp"
#include "device/opencl.hpp"
#include "program/signature.hpp"

namespace anycl::detail {

struct KernelFacts {
  Signature signature;
  std::size_t max_group_size = 1;                       ///< of this kernel on this device
  std::size_t preferred_multiple = 1;                   ///< of the group size
  std::uint64_t local_memory_bytes = 0;                 ///< that the kernel's own variables take
  std::optional<std::uint64_t> private_memory_bytes{};  ///< of one work-item; empty when the driver does not tell
  std::optional<std::array<std::size_t, 3>> required_group{};  ///< reqd_work_group_size

  friend bool operator==(const KernelFacts&, const KernelFacts&) = default;
};

/// Asks the driver. `stored` is what it said when it had compiled the source, null when it has just done that: some drivers
/// forget for a binary what they knew.
/// \throws Unsupported  when the driver counts more arguments than any kernel has
[[nodiscard]] KernelFacts read_kernel_facts(cl_kernel kernel, std::string_view name, const Device& device,
                                            const KernelFacts* stored);

}  // namespace anycl::detail
