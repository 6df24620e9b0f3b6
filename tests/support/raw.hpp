/// \file  OpenCL as a program calls it that does not use anycl.
#pragma once

#include <CL/cl.h>
#include <dlfcn.h>

#include <type_traits>

#include "support/catch.hpp"

namespace anycl::test {

/// An entry of the OpenCL loader, as a program that links it would call it.
template <class Function>
Function* raw(const char* name) {
  static void* const loader = ::dlopen("libOpenCL.so.1", RTLD_NOW);
  auto* const function = reinterpret_cast<Function*>(::dlsym(loader, name));
  REQUIRE(function != nullptr);
  return function;
}

}  // namespace anycl::test

/// RAW(clFinish)(queue): found once, so it may stand in a loop.
#define RAW(name)                                                                                    \
  ([]() -> decltype(&name) {                                                                         \
    static auto* const function = ::anycl::test::raw<std::remove_pointer_t<decltype(&name)>>(#name); \
    return function;                                                                                 \
  }())
