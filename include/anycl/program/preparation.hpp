/// \file  Builds that go on by themselves. Layer 3 (program).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "anycl/export.hpp"

namespace anycl {

namespace detail {
class BuildJob;
class Buildable;
}  // namespace detail

/// Tells when a kernel or a program is built for the devices it is prepared for. A cheap handle; dropping it stops nothing. A default
/// one is done. Any thread.
class ANYCL_API Preparation {
 public:
  Preparation() = default;

  /// Blocks until all are built.
  /// \throws BuildError       when a compiler refuses the source; Unsupported when for lack of an extension.
  /// \throws InvalidArgument  when the source has no such kernel.
  /// \throws Timeout          when a build takes longer than ANYCL_BUILD_LIMIT.
  /// \throws Cancelled        when the context is closed.
  void wait() const;

  /// Blocks for at most `limit`; true when all are built. Throws as `wait()`.
  bool wait_for(std::chrono::nanoseconds limit) const;

  /// True when `wait()` would not block; it may throw then. Never blocks.
  [[nodiscard]] bool is_done() const;

  /// Library internals; not part of the API. What is built for one device; no job when it was built already.
  struct Part {
    std::shared_ptr<detail::Buildable> what;
    std::size_t device_index;
    std::shared_ptr<detail::BuildJob> job;
  };
  explicit Preparation(std::vector<Part> parts) : parts_(std::move(parts)) {}
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }

 private:
  std::vector<Part> parts_;
};

}  // namespace anycl
