/// \file  What a build is made from. Layer 3 (program).
#pragma once

#include <memory>
#include <string>

#include "anycl/device/device.hpp"
#include "anycl/program/source.hpp"
#include "context/native_context.hpp"

namespace anycl::detail {

struct BuildRequest {
  std::shared_ptr<NativeContext> context;
  Device device;
  Source source;
  std::string expanded;
};

}  // namespace anycl::detail
