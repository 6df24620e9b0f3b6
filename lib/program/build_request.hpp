/// \file  What a build is made from. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "anycl/device/device.hpp"
#include "context/context_core.hpp"
#include "context/native_context.hpp"
#include "program/build_input.hpp"

namespace anycl::detail {

struct BuildRequest {
  std::shared_ptr<NativeContext> context;
  Device device;
  BuildInput input;
  std::string options;  ///< for the driver's compiler
};

/// \throws Unsupported  when the device lacks what the options ask for.
[[nodiscard]] BuildRequest request_for(ContextCore& context, std::size_t device_index, const BuildInput& input);

}  // namespace anycl::detail
