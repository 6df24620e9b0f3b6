/// \file  OpenCL functions to call past the library.
#pragma once

#include <string>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/device/device.hpp"
#include "anycl/interop/opencl.hpp"
#include "base/os_library.hpp"

namespace anycl::command {

/// The loader's functions, as the library finds them: those in the process first, such as an emulator's.
class LoaderFunctions {
 public:
  LoaderFunctions() : in_process_(os::find_in_process("clGetPlatformIDs") != nullptr) {
    if (!in_process_) library_ = os::Library::open(discover().loader);
  }

  /// \throws NoDevice
  template <class Function>
  [[nodiscard]] Function* find(const char* name) const {
    void* found = in_process_ ? os::find_in_process(name) : library_.find(name);
    if (found == nullptr) throw NoDevice(fmt::format("the OpenCL loader lacks {}", name));
    return reinterpret_cast<Function*>(found);
  }

 private:
  bool in_process_;
  os::Library library_;
};

/// A member called as the function that it is. The class has a member `loader` before it.
#define ANYCL_LOADER_FUNCTION(name) decltype(::name)* name = loader.find<decltype(::name)>(#name)

}  // namespace anycl::command
