/// \file  What a self-test works with, and what it says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "doctor/finding.hpp"

namespace anycl::command {

/// One device, alone in a context, with a queue that takes time stamps.
struct Rig {
  explicit Rig(const Device& device)
      : context(std::span(&device, 1)), queue(context, context.device(0), {.profiling = true}) {}

  [[nodiscard]] const Device& device() const { return context.device(0); }
  [[nodiscard]] const Capabilities& facts() const { return device().capabilities(); }

  Context context;
  Queue queue;
};

struct Outcome {
  Status status = Status::ok;
  std::string text = "right";
  std::string advice{};
};

[[nodiscard]] inline Outcome skipped(std::string reason) { return {Status::skip, std::move(reason)}; }
[[nodiscard]] inline Outcome failed(std::string text) { return {Status::fail, std::move(text)}; }

/// Right when `got` is `expected`; else fails with the first element that is not, and how many are not. `what` was
/// computed.
template <class T>
[[nodiscard]] Outcome compare(std::string_view what, const std::vector<T>& got, const std::vector<T>& expected) {
  std::size_t wrong = 0;
  std::size_t first = 0;
  for (std::size_t i = expected.size(); i-- > 0;)
    if (got[i] != expected[i]) ++wrong, first = i;
  if (wrong == 0) return {};
  return failed(fmt::format("{}: {} of {} wrong, the first at {}: expected {}, got {}", what, wrong, expected.size(),
                            first, expected[first], got[first]));
}

/// Runs `test(size)` in a group as large as the device and `most` allow, in smaller ones where the kernel does not take
/// that. Returns the size too.
template <class Test>
[[nodiscard]] std::pair<std::size_t, Outcome> in_largest_group(const Rig& rig, std::size_t most, const Test& test) {
  std::size_t size = std::min({most, rig.facts().max_group_size, rig.facts().max_item_sizes[0]});
  while (size > 1) {
    try {
      return {size, test(size)};
    } catch (const InvalidArgument&) {  // over the kernel's own limit, which only a launch tells
      size /= 2;
    }
  }
  return {1, test(1)};
}

}  // namespace anycl::command
