/// \file  Where devices put the members of structs. Layer 3 (program).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anycl/program/describe.hpp"
#include "context/context_core.hpp"

namespace anycl::detail {

/// A question to a device, as a kernel, with the answer that the host expects.
struct LayoutQuery {
  struct Answer {
    const StructDescription* structure = nullptr;
    const MemberDescription* member = nullptr;  ///< null: the size of the struct
    std::size_t on_host = 0;                    ///< bytes
  };

  /// Struct `described` and all that are members of it, innermost first. The text has no names of the user's: structs of one
  /// shape share a build. Numbers that a device lacks are stood in for by integers, which OpenCL C lays out like them.
  LayoutQuery(const StructDescription& described, const Capabilities& device);

  std::string text;
  std::vector<Answer> answers;
};

/// What went wrong: the first answer that is not the host's; empty when all are equal.
[[nodiscard]] std::string layout_difference(const LayoutQuery& query, std::span<const std::uint64_t> on_device,
                                            std::string_view device);

/// What is known of one context's devices. Any thread.
class StructLayouts {
 public:
  explicit StructLayouts(ContextCore& context) : context_(context) {}

  /// True once `check` has found that. Cheap: it is asked on each launch with such a struct.
  [[nodiscard]] bool known_equal(std::size_t device_index, const StructDescription& described);

  /// Asks the device once for each struct that is laid out alike; blocks for that.
  /// \throws InvalidArgument  naming struct, member and both places, where the device differs from the host.
  /// \throws  as the build and the launch of a kernel
  void check(std::size_t device_index, const StructDescription& described, const std::string& subject);

 private:
  [[nodiscard]] std::vector<std::uint64_t> ask(std::size_t device_index, const LayoutQuery& query) const;

  ContextCore& context_;
  std::mutex mutex_;
  std::set<std::pair<std::size_t, std::uint64_t>> equal_;  // device, fingerprint
};

}  // namespace anycl::detail
