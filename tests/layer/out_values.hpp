/// \file  What a refused call leaves in the memory that the caller gave for results.
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <CL/cl_icd.h>

#include "signature.hpp"

namespace anycl::test_layer {

/// Results are poisoned with bytes that no caller can take for a value.
inline constexpr int kPoison = 0xCC;

template <class T>
concept Result = std::is_same_v<T, cl_int> || std::is_same_v<T, cl_uint> || std::is_same_v<T, cl_ulong> ||
    std::is_same_v<T, cl_event> || std::is_same_v<T, cl_kernel> || std::is_same_v<T, cl_device_id> ||
    std::is_same_v<T, cl_platform_id> || std::is_same_v<T, cl_image_format>;

/// How many elements a result has: the number that stands before it (num_entries, num_kernels), or one.
template <std::size_t I, class Arguments>
std::size_t size_of_result(const Arguments& arguments) {
  if constexpr (I > 0) {
    if constexpr (std::is_same_v<std::tuple_element_t<I - 1, Arguments>, cl_uint>) return std::get<I - 1>(arguments);
  }
  return 1;
}

template <std::size_t I, class Arguments>
void poison_result(const Arguments& arguments) {
  using Argument = std::tuple_element_t<I, Arguments>;
  if constexpr (std::is_pointer_v<Argument>) {
    if constexpr (Result<std::remove_pointer_t<Argument>>) {
      if (auto* result = std::get<I>(arguments))
        std::memset(result, kPoison, size_of_result<I>(arguments) * sizeof(*result));
    }
  }
}

/// Poisons all results that a call of these arguments would have written, but for what commands write later.
template <class... Arguments>
void poison_results(const std::tuple<Arguments...>& arguments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (poison_result<I>(arguments), ...); }
  (std::index_sequence_for<Arguments...>());
  if constexpr (kIsQuery<std::tuple<Arguments...>>) {
    const auto [size, value] = answer_memory(arguments);
    if (value != nullptr) std::memset(value, kPoison, size);
  }
}

/// The call's answer when it fails with `code`: the code itself, or a null object and the code through errcode_ret.
template <class Answer, class... Arguments>
Answer refused(cl_int code, const std::tuple<Arguments...>& arguments) {
  if constexpr (std::is_same_v<Answer, cl_int>) {
    return code;
  } else if constexpr (std::is_pointer_v<Answer>) {
    if constexpr (std::is_same_v<LastOf<std::tuple<Arguments...>>, cl_int*>) {
      if (cl_int* errcode = std::get<sizeof...(Arguments) - 1>(arguments)) *errcode = code;
    }
    return nullptr;
  }
}

}  // namespace anycl::test_layer
