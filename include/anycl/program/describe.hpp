/// \file  Structs that kernels share with the host. Layer 3 (program).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "anycl/program/scalar.hpp"
#include "anycl/program/vec.hpp"

namespace anycl::detail {

struct StructDescription;

struct MemberDescription {
  std::string_view name;
  std::size_t offset = 0;                        ///< bytes
  ElementType type{};                            ///< none: a struct
  std::size_t size = 1;                          ///< elements, of an array, in all dimensions together
  const StructDescription* structure = nullptr;  ///< of a member that is a struct
};

/// What ANYCL_DESCRIBE says.
struct StructDescription {
  std::string_view name;
  std::size_t size_bytes = 0;
  const MemberDescription* members = nullptr;
  std::size_t member_count = 0;
  std::uint64_t fingerprint = 0;  ///< of all that is above: names, types, offsets
};

template <class T, std::size_t N>
struct DescribedMembers {
  using Type = T;

  std::string_view name;
  std::array<MemberDescription, N> members;
};

/// A class that derives from a described one is not that.
template <class T>
concept Described = requires {
  requires std::same_as<typename decltype(anycl_describe(static_cast<const T*>(nullptr)))::Type, T>;
};

template <class T>
inline constexpr auto described_members = anycl_describe(static_cast<const T*>(nullptr));

/// FNV-1a.
class Fingerprint {
 public:
  constexpr void add(std::uint64_t number) noexcept {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<std::uint8_t>(number >> shift));
  }
  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
    add(text.size());
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

 private:
  constexpr void add_byte(std::uint8_t byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3u; }

  std::uint64_t value_ = 0xcbf29ce484222325u;
};

template <class T, std::size_t N>
[[nodiscard]] consteval std::uint64_t fingerprint_of(const DescribedMembers<T, N>& described) {
  Fingerprint fingerprint;
  fingerprint.add(described.name);
  fingerprint.add(sizeof(T));
  for (const MemberDescription& member : described.members) {
    fingerprint.add(member.name);
    fingerprint.add(member.offset);
    fingerprint.add(static_cast<std::uint64_t>(member.type.scalar) << 8 | member.type.lanes);
    fingerprint.add(member.size);
    fingerprint.add(member.structure == nullptr ? 0 : member.structure->fingerprint);
  }
  return fingerprint.value();
}

template <Described T>
inline constexpr StructDescription struct_description{
    described_members<T>.name, sizeof(T), described_members<T>.members.data(), described_members<T>.members.size(),
    fingerprint_of(described_members<T>)};

/// Null for what has no description.
template <class T>
[[nodiscard]] consteval const StructDescription* description_of() {
  if constexpr (Described<T>)
    return &struct_description<T>;
  else
    return nullptr;
}

/// The type whose numbers an enumeration has; any other type itself.
template <class T>
struct NumbersOf {
  using Type = T;
};
template <class T>
  requires std::is_enum_v<T>
struct NumbersOf<T> {
  using Type = std::underlying_type_t<T>;
};
template <>
struct NumbersOf<std::byte> {
  using Type = std::byte;
};

template <class T>
[[nodiscard]] consteval std::size_t elements_in() {
  if constexpr (std::is_array_v<T>)
    return std::extent_v<T> * elements_in<std::remove_extent_t<T>>();
  else
    return 1;
}

/// A member of type `T`, as it stands in the struct.
template <class T>
[[nodiscard]] consteval MemberDescription describe_member(std::string_view name, std::size_t offset) {
  using Element = typename NumbersOf<std::remove_cv_t<std::remove_all_extents_t<std::remove_reference_t<T>>>>::Type;
  constexpr ElementType type = element_type<Element>;
  constexpr bool is_pointer = std::is_pointer_v<Element> || std::is_member_pointer_v<Element>;
  static_assert(!std::is_reference_v<T>,
                "ANYCL_DESCRIBE: a reference means nothing on a device: make the member a value");
  static_assert(!is_pointer,
                "ANYCL_DESCRIBE: a pointer of the host means nothing on a device: pass a Buffer beside the struct");
  static_assert(type.scalar != ScalarType::boolean,
                "ANYCL_DESCRIBE: bool has no size in OpenCL C: make the member an integer, such as std::uint8_t");
  static_assert(!wider_than_opencl<Element>, "ANYCL_DESCRIBE: OpenCL C has no long double and no 128-bit integer");
  static_assert(type.lanes != 3,
                "ANYCL_DESCRIBE: a vector of three takes the room of four: make the member a Vec of 4, or an array");
  static_assert(type.scalar != ScalarType::none || Described<Element> || is_pointer || wider_than_opencl<Element>,
                "ANYCL_DESCRIBE: a member must be a number, a Half, a Vec, a struct that is described itself, or an "
                "array of those");
  return {name, offset, type, elements_in<std::remove_reference_t<T>>(), description_of<Element>()};
}

template <class T, class... Members>
[[nodiscard]] consteval auto describe(std::string_view name, const Members&... members) {
  static_assert(std::is_trivially_copyable_v<T>,
                "ANYCL_DESCRIBE: a struct goes to a device as bytes: it must be trivially copyable");
  static_assert(sizeof...(Members) != 0, "ANYCL_DESCRIBE: name the members of the struct, all of them");
  static_assert(std::is_standard_layout_v<T>,
                "ANYCL_DESCRIBE: the struct must be of standard layout: no virtual functions, no references, members "
                "in one class and of one access");
  return DescribedMembers<T, sizeof...(Members)>{name, {members...}};
}

template <class T, std::size_t N>
[[nodiscard]] consteval bool in_order(const DescribedMembers<T, N>& described) {
  for (std::size_t i = 1; i < N; ++i)
    if (described.members[i].offset <= described.members[i - 1].offset) return false;
  return true;
}

}  // namespace anycl::detail

/// Says what a struct is made of, so that launches take it by value: `ANYCL_DESCRIBE(Type, first_member, second_member);` in the
/// namespace of `Type`, behind it, with all its members in their order. Members are numbers, enumerations, Half, Vec, structs
/// that are described themselves, and arrays of those. What has no fixed layout on devices does not compile, and says why: bool,
/// long double, vectors of three, pointers, references.
///
/// The first launch on a device with such a struct, by value or in a Buffer behind a `struct S*`, asks that device where an equal
/// struct of its own has its members, and is InvalidArgument where that is not where the host has them. It waits for that. What the
/// kernel's text declares no driver tells: a declaration there that is another one is found by its size at most, on PoCL not at all.
#define ANYCL_DESCRIBE(Type, ...)                                                                                   \
  [[maybe_unused]] consteval auto anycl_describe(const Type*) {                                                     \
    using AnyclDescribed = Type;                                                                                    \
    return ::anycl::detail::describe<Type>(#Type ANYCL_DETAIL_FOR_EACH(ANYCL_DETAIL_DESCRIBE_MEMBER, __VA_ARGS__)); \
  }                                                                                                                 \
  static_assert(::anycl::detail::in_order(anycl_describe(static_cast<const Type*>(nullptr))),                       \
                "ANYCL_DESCRIBE: name the members in the order in which the struct has them, each once")

#define ANYCL_DETAIL_DESCRIBE_MEMBER(member) \
  , ::anycl::detail::describe_member<decltype(AnyclDescribed::member)>(#member, offsetof(AnyclDescribed, member))

// Applies a macro to each argument, up to 256 of them: each expansion gives one, and asks to be expanded again.
#define ANYCL_DETAIL_PARENS ()
#define ANYCL_DETAIL_EXPAND(...) \
  ANYCL_DETAIL_EXPAND_64(ANYCL_DETAIL_EXPAND_64(ANYCL_DETAIL_EXPAND_64(ANYCL_DETAIL_EXPAND_64(__VA_ARGS__))))
#define ANYCL_DETAIL_EXPAND_64(...) \
  ANYCL_DETAIL_EXPAND_16(ANYCL_DETAIL_EXPAND_16(ANYCL_DETAIL_EXPAND_16(ANYCL_DETAIL_EXPAND_16(__VA_ARGS__))))
#define ANYCL_DETAIL_EXPAND_16(...) \
  ANYCL_DETAIL_EXPAND_4(ANYCL_DETAIL_EXPAND_4(ANYCL_DETAIL_EXPAND_4(ANYCL_DETAIL_EXPAND_4(__VA_ARGS__))))
#define ANYCL_DETAIL_EXPAND_4(...) \
  ANYCL_DETAIL_EXPAND_1(ANYCL_DETAIL_EXPAND_1(ANYCL_DETAIL_EXPAND_1(ANYCL_DETAIL_EXPAND_1(__VA_ARGS__))))
#define ANYCL_DETAIL_EXPAND_1(...) __VA_ARGS__
#define ANYCL_DETAIL_FOR_EACH(macro, ...) \
  __VA_OPT__(ANYCL_DETAIL_EXPAND(ANYCL_DETAIL_FOR_EACH_STEP(macro, __VA_ARGS__)))
#define ANYCL_DETAIL_FOR_EACH_STEP(macro, first, ...) \
  macro(first) __VA_OPT__(ANYCL_DETAIL_FOR_EACH_AGAIN ANYCL_DETAIL_PARENS(macro, __VA_ARGS__))
#define ANYCL_DETAIL_FOR_EACH_AGAIN() ANYCL_DETAIL_FOR_EACH_STEP
