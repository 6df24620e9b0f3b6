/// \file  Conditions on devices, composed in code. Layer 1 (device).
///
///   using namespace anycl::selectors;
///   using namespace anycl::literals;
///   Context context(kind(gpu) && fp64 && memory_at_least(4_GiB));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "anycl/base/literals.hpp"
#include "anycl/device/device.hpp"

namespace anycl {

namespace detail {
class Condition;
}

/// What a program asks of a feature of devices by name, such as `selectors::fp64`.
struct DeviceFeature {
  std::string_view name;
  bool (*has)(const Capabilities&);
};

/// A condition that a device meets or not, and can say why not. Cheap to copy. Any thread.
class ANYCL_API Selector {
 public:
  /// NOLINTNEXTLINE(google-explicit-constructor): features stand where selectors do
  Selector(const DeviceFeature& feature);

  /// A condition of your own; `name` says in reasons what was asked.
  /// \throws InvalidArgument  without a name or a function.
  Selector(std::string name, std::function<bool(const Device&)> meets);

  /// Nothing when `device` meets the condition, else one line that says which part of it is not met.
  [[nodiscard]] std::optional<std::string> unmet_by(const Device& device) const;

  /// The condition as text: "kind(gpu) && fp64".
  [[nodiscard]] std::string to_string() const;

  /// Library internals; not part of the API.
  explicit Selector(std::shared_ptr<const detail::Condition> condition) noexcept;
  [[nodiscard]] const std::shared_ptr<const detail::Condition>& condition() const noexcept { return condition_; }

 private:
  std::shared_ptr<const detail::Condition> condition_;
};

[[nodiscard]] ANYCL_API Selector operator&&(const Selector& a, const Selector& b);
[[nodiscard]] ANYCL_API Selector operator||(const Selector& a, const Selector& b);
[[nodiscard]] ANYCL_API Selector operator!(const Selector& a);

/// Conditions to compose. Words in quotes are globs as in selections by text (anycl/device/selection.hpp).
namespace selectors {

/// Kinds as a set, for `kind()`.
enum class Kinds : unsigned { gpu, discrete, integrated, cpu, accelerator, emulator };
using enum Kinds;

[[nodiscard]] ANYCL_API Selector kind(Kinds kinds);
[[nodiscard]] ANYCL_API Selector platform(std::string_view alias_or_name);
[[nodiscard]] ANYCL_API Selector name(std::string_view glob);

/// What a term of the selection `terms` names, such as "intel,nvidia:gpu,!*Arc*"; their order does not matter here.
/// \throws InvalidArgument  for malformed terms, and for an index, which counts in a list.
[[nodiscard]] ANYCL_API Selector matching(std::string_view terms);

[[nodiscard]] ANYCL_API Selector extension(std::string_view name);
[[nodiscard]] ANYCL_API Selector opencl_at_least(std::uint32_t major, std::uint32_t minor = 0);
[[nodiscard]] ANYCL_API Selector memory_at_least(std::uint64_t bytes);        ///< global memory
[[nodiscard]] ANYCL_API Selector allocation_at_least(std::uint64_t bytes);    ///< largest single buffer
[[nodiscard]] ANYCL_API Selector local_memory_at_least(std::uint64_t bytes);  ///< per work-group
[[nodiscard]] ANYCL_API Selector group_size_at_least(std::size_t work_items);
[[nodiscard]] ANYCL_API Selector compute_units_at_least(std::uint32_t units);

inline constexpr DeviceFeature fp16{"fp16", [](const Capabilities& facts) { return facts.fp16; }};
inline constexpr DeviceFeature fp64{"fp64", [](const Capabilities& facts) { return facts.fp64; }};
inline constexpr DeviceFeature int64_atomics{"int64_atomics",
                                             [](const Capabilities& facts) { return facts.atomics.int64_base; }};
inline constexpr DeviceFeature sub_groups{"sub_groups",
                                          [](const Capabilities& facts) { return facts.sub_groups.has_value(); }};
inline constexpr DeviceFeature images{"images", [](const Capabilities& facts) { return facts.images; }};
inline constexpr DeviceFeature svm{
    "svm", [](const Capabilities& facts) { return facts.svm && facts.svm->coarse_grain_buffer; }};
inline constexpr DeviceFeature usm{"usm", [](const Capabilities& facts) { return facts.usm && facts.usm->device; }};
inline constexpr DeviceFeature partitioning{"partitioning",
                                            [](const Capabilities& facts) { return facts.partitioning.has_value(); }};
inline constexpr DeviceFeature host_unified_memory{"host_unified_memory",
                                                   [](const Capabilities& facts) { return facts.host_unified_memory; }};
inline constexpr DeviceFeature trusted_timestamps{"trusted_timestamps",
                                                  [](const Capabilities& facts) { return facts.timestamps_trusted; }};

}  // namespace selectors
}  // namespace anycl
