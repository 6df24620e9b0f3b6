/// \file  What stands behind a Selector. Layer 1 (device).
#pragma once

#include <optional>
#include <string>

#include "anycl/device/device.hpp"

namespace anycl::detail {

/// How far a condition that a device meets asks for that very device, in ascending order.
enum class Naming {
  nothing,  ///< for what it can do
  kind,     ///< for its kind, so that emulators are no surprise
  driver,   ///< for its driver or name, so that other drivers of the same silicon are no substitute
};

class Condition {
 public:
  Condition() = default;
  virtual ~Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Nothing when `device` meets it, else one line.
  [[nodiscard]] virtual std::optional<std::string> unmet_by(const Device& device) const = 0;
  [[nodiscard]] virtual Naming naming(const Device& device) const = 0;
  [[nodiscard]] virtual std::string text() const = 0;
  /// The same, for use inside another condition.
  [[nodiscard]] virtual std::string part() const { return text(); }
};

}  // namespace anycl::detail
