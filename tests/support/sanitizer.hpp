/// \file  What tests tell the sanitizer that they are built with; without one, nothing.
#pragma once

#include <memory>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANYCL_TEST_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define ANYCL_TEST_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ANYCL_TEST_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define ANYCL_TEST_THREAD_SANITIZER
#endif

#ifdef ANYCL_TEST_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace anycl::test {

/// Sanitizers keep freed memory for a while and notes about all of it: what a process holds says nothing about us.
#if defined(ANYCL_TEST_ADDRESS_SANITIZER) || defined(ANYCL_TEST_THREAD_SANITIZER)
inline constexpr bool kSanitizerHoldsMemory = true;
#else
inline constexpr bool kSanitizerHoldsMemory = false;
#endif

/// An object that is never destroyed, on purpose: no leak, and nothing that it holds is one.
template <class T>
[[nodiscard]] T& never_destroyed(std::unique_ptr<T> object) {
#ifdef ANYCL_TEST_ADDRESS_SANITIZER
  __lsan_ignore_object(object.get());
#endif
  return *object.release();
}

}  // namespace anycl::test
