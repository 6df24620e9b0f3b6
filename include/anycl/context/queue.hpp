/// \file  In-order work on one device. Layer 2 (context).
#pragma once

#include <memory>

#include "anycl/context/context.hpp"
#include "anycl/context/event.hpp"
#include "anycl/export.hpp"

namespace anycl {

namespace detail {
class QueueCore;
}

struct QueueOptions {
  bool profiling = false;  ///< take device time stamps, for `Event::duration_ns()`
};

/// Runs what it is given on one device, one after another. Move-only; any thread may use it at once, calls take effect
/// in call order. The destructor does not wait: work given to it still runs.
class ANYCL_API Queue {
 public:
  /// \throws InvalidArgument  when `device` is not one of the context's.
  Queue(Context& context, const Device& device, QueueOptions options = {});

  Queue(Queue&&) noexcept;
  Queue& operator=(Queue&&) noexcept;
  ~Queue();

  [[nodiscard]] const Device& device() const noexcept;

  /// Hands all work so far to the device; does not block.
  void flush();

  /// Blocks until all work so far is done.
  /// \throws  the first error of work since the last `finish()` whose event nobody waited for.
  void finish();

  /// Library internals; not part of the API.
  [[nodiscard]] const std::shared_ptr<detail::QueueCore>& core() const noexcept { return core_; }

 private:
  std::shared_ptr<detail::QueueCore> core_;
};

}  // namespace anycl
