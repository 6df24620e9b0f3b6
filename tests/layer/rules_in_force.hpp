/// \file  The rules that calls are judged by, and how many calls each has seen.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "rules.hpp"

namespace anycl::test_layer {

/// Numbers the calls that one rule is about.
class CallCounter {
 public:
  [[nodiscard]] std::uint64_t next() noexcept { return calls_.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  std::atomic<std::uint64_t> calls_{0};
};

class RulesInForce {
 public:
  explicit RulesInForce(std::string_view text);

  /// The code that this call is to answer instead of reaching the driver; counts it.
  [[nodiscard]] std::optional<cl_int> refusal(Entry entry, std::optional<cl_uint> param);

  /// The byte to damage in what this read gives back; counts it.
  [[nodiscard]] std::optional<std::size_t> damage();

  /// Whether this command is one of those that `delay` is about; counts it.
  [[nodiscard]] bool delays();

  const std::string text;
  const Rules rules;

 private:
  CallCounter calls_, reads_, commands_;
  std::deque<CallCounter> calls_of_fail_;  // a counter cannot move
  std::once_flag lost_;
};

/// Never null. A set that was replaced stays valid: calls of other threads may be in the middle of it.
[[nodiscard]] RulesInForce& rules_in_force();

/// \throws RuleError  leaving in force what was.
void put_in_force(std::string_view text);

}  // namespace anycl::test_layer
