/// \file  What a device's compiler made of a kernel. Layer 3 (program).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/export.hpp"
#include "anycl/program/range.hpp"

namespace anycl {

/// One parameter of a kernel, as the driver words it: names of types come unresolved.
struct ParameterInfo {
  enum class Space : std::uint8_t { value, global, constant, local, other };  ///< other: images, samplers, pipes

  std::string name;
  std::string type;  ///< "float*", "uint4", "my_struct"
  Space space = Space::value;
  bool is_const = false;
};

/// "global"; empty for `value` and `other`.
[[nodiscard]] ANYCL_API std::string_view to_string(ParameterInfo::Space space) noexcept;

struct KernelInfo {
  std::string name;
  std::size_t parameter_count = 0;
  std::vector<ParameterInfo> parameters{};       ///< empty when the driver tells their number and nothing else
  std::size_t max_group_size = 1;                ///< work-items; registers may allow fewer than the device can
  std::size_t preferred_multiple = 1;            ///< a group size that is a multiple of this wastes nothing
  std::uint64_t local_bytes = 0;                 ///< of local memory for the kernel's own variables, in each group
  std::optional<std::uint64_t> private_bytes{};  ///< in each work-item; empty when the driver does not tell
  std::optional<Extents> required_group{};       ///< reqd_work_group_size

  /// As OpenCL C has it: "kernel void f(global const float* x, uint n)".
  [[nodiscard]] ANYCL_API std::string signature() const;
};

}  // namespace anycl
