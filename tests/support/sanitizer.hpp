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

/// True with a sanitizer that has an allocator of its own. It keeps freed memory for a while, so that what a process holds
/// says nothing about us; and its locks may be held at the moment of a fork, for ever in the child.
#if defined(ANYCL_TEST_ADDRESS_SANITIZER) || defined(ANYCL_TEST_THREAD_SANITIZER)
inline constexpr bool kOwnAllocator = true;
#else
inline constexpr bool kOwnAllocator = false;
#endif

/// An object that is never destroyed, on purpose: no leak, and nothing that it holds is one.
template <class T>
[[nodiscard]] T& never_destroyed(std::unique_ptr<T> object) {
#ifdef ANYCL_TEST_ADDRESS_SANITIZER
  __lsan_ignore_object(object.get());
#endif
  return *object.release();
}

/// What this thread allocates while it lives may stay behind: for code that gives its objects up on purpose.
class GivingUp {
 public:
#ifdef ANYCL_TEST_ADDRESS_SANITIZER
  GivingUp() { __lsan_disable(); }
  ~GivingUp() { __lsan_enable(); }
#else
  GivingUp() {}  // not "= default": an object of it is not unused
  ~GivingUp() {}
#endif
  GivingUp(const GivingUp&) = delete;
  GivingUp& operator=(const GivingUp&) = delete;
};

/// For a process, and what it forks, that ends with objects in use: what they hold is freed by nobody.
void look_for_no_leaks() noexcept;

}  // namespace anycl::test
