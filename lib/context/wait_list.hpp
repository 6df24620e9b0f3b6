/// \file  What a submission must wait for. Layer 2 (context).
#pragma once

#include <vector>

#include "context/event_state.hpp"

namespace anycl::detail {

/// Collects, for work on one queue, the events that order it after other work. Empty in the common case, at no cost.
class WaitList {
 public:
  explicit WaitList(QueueCore& target) noexcept : target_(target) {}

  /// Adds `event` unless order is given already: done, or earlier in the same in-order queue. An event of another
  /// native context cannot stand in a native list: it is waited for here, on the calling thread.
  void add(const Event& event);

  [[nodiscard]] cl_uint size() const noexcept { return static_cast<cl_uint>(natives_.size()); }
  [[nodiscard]] const cl_event* data() const noexcept { return natives_.empty() ? nullptr : natives_.data(); }

 private:
  QueueCore& target_;
  std::vector<cl_event> natives_;
};

}  // namespace anycl::detail
