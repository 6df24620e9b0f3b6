/// \file  What is built for each device of a context. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "anycl/device/device.hpp"
#include "anycl/program/preparation.hpp"
#include "context/context_core.hpp"
#include "program/build_threads.hpp"

namespace anycl::detail {

/// What a Preparation waits for. Any thread.
class Buildable {
 public:
  Buildable() = default;
  Buildable(const Buildable&) = delete;
  Buildable& operator=(const Buildable&) = delete;
  virtual ~Buildable() = default;

  [[nodiscard]] virtual ContextCore& context() const noexcept = 0;

  /// Begins the build for a device without waiting for it; null when it is there.
  [[nodiscard]] virtual std::shared_ptr<BuildJob> begin(std::size_t device_index) = 0;

  /// Waits for a build that was begun so. \throws  what ended it
  virtual void take(std::size_t device_index, const std::shared_ptr<BuildJob>& job) = 0;
};

/// Begins the builds of `what` for `devices`.
/// \throws InvalidArgument  when one is not of its context; nothing is begun then.
[[nodiscard]] Preparation prepare(const std::shared_ptr<Buildable>& what, std::span<const Device> devices);

}  // namespace anycl::detail
