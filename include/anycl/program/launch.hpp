/// \file  Running a kernel. Layer 3 (program).
#pragma once

#include <span>

#include "anycl/context/queue.hpp"
#include "anycl/export.hpp"
#include "anycl/program/argument.hpp"
#include "anycl/program/kernel.hpp"
#include "anycl/program/range.hpp"

namespace anycl {

namespace detail {
ANYCL_API Event launch_bound(Queue& queue, const Kernel& kernel, const Range& range,
                             std::span<const BoundArgument> arguments);

template <class T>
concept KernelArgument = requires(const T& value) {
  { bind_argument(value) } -> std::same_as<BoundArgument>;
};
}  // namespace detail

/// Runs `kernel` over `range` on the queue's device, after earlier uses of the same buffers on any queue. Does not block,
/// except where a buffer's contents must come from another driver's context.
///
/// Arguments are numbers, `Half`, `Vec`, structs with ANYCL_DESCRIBE, buffers, `local<T>(count)` or `nullptr`, in the kernel's order.
/// They are checked against the kernel's signature before anything is enqueued. Integers convert to the kernel's integer
/// type when the value fits; float and double, and floating and integer types, do not convert.
/// A buffer behind a `const` or `constant` pointer is read, any other is read and written. Zero work-items are legal:
/// the event then completes in its place in the queue.
/// \throws InvalidArgument  for arguments or sizes that the kernel or the device cannot take; names them.
/// \throws BuildError       when the device's compiler refuses the source; Unsupported when for lack of an extension.
template <class... Args>
Event launch(Queue& queue, const Kernel& kernel, const Range& range, const Args&... args) {
  static_assert(
      (detail::KernelArgument<Args> && ...),
      "an argument of launch must be a number, an anycl::Vec, a trivially copyable struct with ANYCL_DESCRIBE, an "
      "anycl::Buffer, local<T>(count) or nullptr");
  using detail::bind_argument;
  if constexpr (sizeof...(Args) == 0) {
    return detail::launch_bound(queue, kernel, range, {});
  } else {
    const detail::BoundArgument bound[] = {bind_argument(args)...};
    return detail::launch_bound(queue, kernel, range, bound);
  }
}

}  // namespace anycl
