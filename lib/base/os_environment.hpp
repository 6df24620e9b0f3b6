/// \file  Changing the environment of this process. Layer 0 (base).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace anycl::os {

/// Changes to the environment ("NAME=value", or "NAME" to unset it) until the scope ends. Other threads of the host that
/// read the environment meanwhile are at risk, as with any setenv().
class ScopedVariables {
 public:
  explicit ScopedVariables(const std::vector<std::string>& changes);
  ScopedVariables(const ScopedVariables&) = delete;
  ScopedVariables& operator=(const ScopedVariables&) = delete;
  ~ScopedVariables();

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace anycl::os
