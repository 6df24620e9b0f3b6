/// \file  What a kernel is built with. Layer 3 (program).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "anycl/device/capabilities.hpp"
#include "anycl/export.hpp"
#include "anycl/program/definition.hpp"

namespace anycl {

/// What a compiler may be told, each off unless set. Those about arithmetic change results, and differ between devices.
/// Source: OpenCL 3.0 API, clBuildProgram, "Optimization Options" and "Math Intrinsics Options".
enum class BuildFlag : std::uint8_t {
  fast_relaxed_math,              ///< finite_math_only and unsafe_math; defines __FAST_RELAXED_MATH__
  unsafe_math,                    ///< mad_enable and no_signed_zeros, and rules of algebra that floating point breaks
  finite_math_only,               ///< no argument or result is infinite or NaN
  denorms_are_zero,               ///< subnormal numbers may be taken for zero
  mad_enable,                     ///< `a * b + c` may be rounded more or less than twice
  no_signed_zeros,                ///< the sign of zero does not matter
  correctly_rounded_divide_sqrt,  ///< `/` and sqrt() of float, where Capabilities has it
  no_optimization,                ///< for a debugger, or against a compiler's fault
};

/// What becomes of a compiler's warnings.
enum class Warnings : std::uint8_t {
  logged,  ///< at level debug
  off,
  errors,  ///< they fail the build
};

/// Where a compiler runs. What it makes is the same.
enum class BuildPlace : std::uint8_t {
  as_set,  ///< as ANYCL_BUILD says; in this process unless set
  child,   ///< in a process with limits of time and memory: for sources that may crash a compiler, or are not trusted
};

/// Macro definitions for a kernel, by name, and what the compiler is told besides. Definitions reach it as `#define` lines
/// ahead of the source, so values with blanks, commas, braces or quotes arrive as written on every driver. Two are equal
/// when they say the same in whatever order; equal ones share their builds.
class ANYCL_API BuildOptions {
 public:
  BuildOptions() = default;
  /// `{{"RADIUS", 3}, {"T", type<float>}}`; of two with one name the last counts.
  BuildOptions(std::initializer_list<Definition> definitions);

  /// An earlier value of the same name is replaced.
  BuildOptions& define(const Definition& definition);
  /// \throws InvalidArgument  as `Definition`, and the next one too.
  BuildOptions& define(std::string_view name) { return define(Definition(name, "1")); }
  template <class T>
  BuildOptions& define(std::string_view name, const T& value) {
    return define(Definition(name, value));
  }

  BuildOptions& set(BuildFlag flag, bool on = true) noexcept;
  BuildOptions& warnings(Warnings warnings) noexcept;

  /// The version of OpenCL C that the source is written in, such as `{2, 0}`. Not set: each driver's choice, which is 1.2 or
  /// more. On a device that lacks it, a build is Unsupported.
  /// \throws InvalidArgument  for one that no compiler can be asked for: 1.0, or with a third number.
  BuildOptions& language(Version version);

  BuildOptions& place(BuildPlace place) noexcept;

  [[nodiscard]] const std::map<std::string, std::string>& defines() const noexcept { return defines_; }
  [[nodiscard]] bool has(BuildFlag flag) const noexcept { return (flags_ & bit(flag)) != 0; }
  [[nodiscard]] Warnings warnings() const noexcept { return warnings_; }
  [[nodiscard]] const std::optional<Version>& language() const noexcept { return language_; }

  [[nodiscard]] BuildPlace place() const noexcept { return place_; }

  friend bool operator==(const BuildOptions&, const BuildOptions&) = default;

 private:
  [[nodiscard]] static constexpr std::uint32_t bit(BuildFlag flag) noexcept {
    return std::uint32_t{1} << static_cast<unsigned>(flag);
  }

  std::map<std::string, std::string> defines_;  // sorted: one set of definitions is one cache key
  std::uint32_t flags_ = 0;
  Warnings warnings_ = Warnings::logged;
  std::optional<Version> language_;
  BuildPlace place_ = BuildPlace::as_set;
};

}  // namespace anycl
