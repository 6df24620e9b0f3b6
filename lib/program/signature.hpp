/// \file  What a kernel takes. Layer 3 (program).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/device/device.hpp"
#include "anycl/program/argument.hpp"
#include "anycl/program/kernel_info.hpp"
#include "device/opencl.hpp"

namespace anycl::detail {

/// One parameter of a kernel as the driver describes it.
struct Parameter {
  using Space = ParameterInfo::Space;

  std::string name;
  std::string type;  ///< as the driver words it, "float*"; typedefs and structs come unresolved
  Space space = Space::value;
  bool is_const = false;
  // Derived from `type`:
  ElementType element{};       ///< of the value, or of what the pointer points to; none: not a built-in type
  std::size_t size_bytes = 0;  ///< of the value; 0: not known

  /// Fills the derived members; `space` becomes `other` for types that drivers place in memory but no buffer can be.
  void resolve_type();

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Signature {
  std::vector<Parameter> parameters;
  bool described = false;  ///< false: the driver gave the number of parameters and nothing else

  friend bool operator==(const Signature&, const Signature&) = default;
};

/// \throws Unsupported  when the driver counts more arguments than any kernel has; names kernel, device and number.
[[nodiscard]] Signature read_signature(cl_kernel kernel, std::string_view name, const Device& device);

/// OpenCL C's word for a scalar type, "uint".
[[nodiscard]] std::string_view scalar_word(ScalarType type) noexcept;
/// The same with lanes, "uint4".
[[nodiscard]] std::string type_word(ElementType type);
[[nodiscard]] std::size_t scalar_size(ScalarType type) noexcept;
[[nodiscard]] bool is_integer(ScalarType type) noexcept;
[[nodiscard]] bool is_signed_integer(ScalarType type) noexcept;

}  // namespace anycl::detail
