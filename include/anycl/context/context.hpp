/// \file  The devices a program works with. Layer 2 (context).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/device/device.hpp"
#include "anycl/device/selection.hpp"
#include "anycl/export.hpp"

namespace anycl {

namespace detail {
class ContextCore;
}

/// A set of devices of any platforms. Buffers and kernels belong to a context and work on all its devices; native
/// contexts are made one per platform, on first use.
/// Move-only. Any thread may use it at once. Queues, kernels and buffers keep what they need of it alive.
/// After `fork()` the child gets `UsedAfterFork` from all uses, and from making a context of its own: drivers do not
/// survive a fork. It may drop what its parent made.
class ANYCL_API Context {
 public:
  /// Every usable device, best first, each piece of silicon once; ANYCL_DEVICES narrows or orders them.
  /// \throws NoDevice  when there is none; says what there is and why it was left out.
  Context();

  /// The devices that `selection` names (anycl/device/selection.hpp), in its order.
  /// \throws InvalidArgument, NoDevice
  explicit Context(std::string_view selection);
  explicit Context(const char* selection) : Context(std::string_view(selection)) {}

  /// The devices that meet `selector`, best first: `Context(kind(gpu) && fp64)`.
  /// \throws NoDevice  when none does; says of each device what it does not meet.
  explicit Context(const Selector& selector);

  /// Just these devices.
  /// \throws InvalidArgument  for an empty list or a device named twice.
  explicit Context(std::span<const Device> devices);

  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;

  /// Closes.
  ~Context();

  [[nodiscard]] std::span<const Device> devices() const noexcept;

  /// \throws InvalidArgument  when there are not so many devices.
  [[nodiscard]] const Device& device(std::size_t index = 0) const;

  /// Why the device stands where it does, one line.
  [[nodiscard]] const std::string& reason(std::size_t index) const;

  /// Waits for work on its queues, at most the teardown limit (10 s, or ANYCL_TEARDOWN_LIMIT in seconds); what does not
  /// end by then is left to the driver, with a warning. Later uses of the context throw. Closing twice is fine.
  void close() noexcept;

  /// Library internals; not part of the API.
  [[nodiscard]] const std::shared_ptr<detail::ContextCore>& core() const noexcept { return core_; }

 private:
  std::shared_ptr<detail::ContextCore> core_;
};

}  // namespace anycl
