/// \file  What a build is made from. Layer 3 (program).
#pragma once

#include <memory>
#include <string>

#include "anycl/device/device.hpp"
#include "context/native_context.hpp"
#include "program/build_input.hpp"

namespace anycl::detail {

struct BuildRequest {
  std::shared_ptr<NativeContext> context;
  Device device;
  BuildInput input;
  std::string options;  ///< for the driver's compiler
};

}  // namespace anycl::detail
