/// \file  A launch's arguments against a kernel's parameters. Layer 3 (program).
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "anycl/program/argument.hpp"
#include "program/signature.hpp"

namespace anycl::detail {

/// What `clSetKernelArg` gets for a value: the caller's bytes, or the same number in the kernel's integer type.
struct SettableValue {
  std::size_t size_bytes = 0;
  const void* data = nullptr;
  std::array<std::byte, 8> converted{};
};

/// Converts `argument` to what `parameter` takes. `subject` and `index` are for the error text.
/// \throws InvalidArgument  when it does not fit; says what is wanted, what was given and what to pass instead.
void settle_value(const BoundArgument& argument, const Parameter& parameter, SettableValue& settled,
                  const std::string& subject, std::size_t index);

/// Checks everything about `argument` that does not depend on its value.
void check_argument(const BoundArgument& argument, const Parameter& parameter, const std::string& subject,
                    std::size_t index);

/// For a value that the driver refused for its size.
/// \throws InvalidArgument  always
[[noreturn]] void refuse_size(const BoundArgument& argument, const Parameter& parameter, const std::string& subject,
                              std::size_t index);

}  // namespace anycl::detail
