/// \file  Values given to a kernel at launch. Layer 3 (program).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "anycl/context/resource.hpp"
#include "anycl/export.hpp"
#include "anycl/program/describe.hpp"
#include "anycl/program/scalar.hpp"
#include "anycl/program/vec.hpp"

namespace anycl {

/// Local memory of a work-group, given to a kernel's `local` pointer. Made by `local<T>(count)`.
struct LocalMemory {
  std::size_t size_bytes = 0;
};

/// Room for `count` elements of `T` per work-group.
template <class T>
[[nodiscard]] constexpr LocalMemory local(std::size_t count) noexcept {
  constexpr std::size_t kMost = static_cast<std::size_t>(-1);
  return {count > kMost / sizeof(T) ? kMost : count * sizeof(T)};  // too much stays too much: a launch refuses it
}

namespace detail {

/// One argument of one launch, not yet checked against the kernel. Points to the caller's value.
struct BoundArgument {
  enum class Kind : std::uint8_t { value, local, resource, null };

  Kind kind = Kind::value;
  ElementType type{};          ///< of the value, or of the resource's elements
  std::size_t size_bytes = 0;  ///< of the value, of the local memory, or of one element
  const void* data = nullptr;
  Resource* resource = nullptr;
  std::size_t alignment = 1;  ///< of the value's type: a struct has less padding than this at its end
  const StructDescription* structure = nullptr;  ///< of the value, or of the resource's elements; null: not described
};

template <class T>
concept PlainValue = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
                     !std::is_null_pointer_v<T> && !std::same_as<T, LocalMemory>;

template <class T>
concept IsUndescribed = (std::is_class_v<T> || std::is_union_v<T>)&&element_type<T>.scalar == ScalarType::none &&
                        !Described<T>;

template <PlainValue T>
[[nodiscard]] BoundArgument bind_argument(const T& value) noexcept {
  static_assert(!wider_than_opencl<T>,
                "OpenCL C has no long double and no 128-bit integer: pass a double, a float or an integer of 64 bits");
  static_assert(
      !IsUndescribed<T>,
      "a kernel takes no struct that it may see otherwise: say ANYCL_DESCRIBE(Type, members...) behind its definition, "
      "or pass an anycl::Vec, a number or a Buffer");
  return {BoundArgument::Kind::value, element_type<T>, sizeof(T), &value, nullptr, alignof(T), description_of<T>()};
}

[[nodiscard]] inline BoundArgument bind_argument(const LocalMemory& memory) noexcept {
  return {BoundArgument::Kind::local, {}, memory.size_bytes, nullptr, nullptr};
}

/// `nullptr` stands for a buffer that the kernel sees as null.
[[nodiscard]] inline BoundArgument bind_argument(std::nullptr_t) noexcept {
  return {BoundArgument::Kind::null, {}, 0, nullptr, nullptr};
}

}  // namespace detail
}  // namespace anycl
