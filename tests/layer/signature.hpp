/// \file  What the parameters of an OpenCL function say about it.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <CL/cl_icd.h>

#include "entries.hpp"

namespace anycl::test_layer {

template <class Arguments>
using LastOf = std::tuple_element_t<std::tuple_size_v<Arguments> - 1, Arguments>;

/// The argument that is `Back` places before the last one.
template <std::size_t Back, class Arguments>
using FromLast = std::tuple_element_t<std::tuple_size_v<Arguments> - 1 - Back, Arguments>;

template <class Arguments>
constexpr bool is_query() {
  if constexpr (std::tuple_size_v<Arguments> >= 4)
    return std::is_same_v<FromLast<3, Arguments>, cl_uint> && std::is_same_v<FromLast<2, Arguments>, std::size_t> &&
           std::is_same_v<FromLast<1, Arguments>, void*> && std::is_same_v<FromLast<0, Arguments>, std::size_t*>;
  return false;
}

/// clGet...Info(object..., param_name, param_value_size, param_value, param_value_size_ret)
template <class Arguments>
inline constexpr bool kIsQuery = is_query<Arguments>();

template <class Arguments>
cl_uint param_name(const Arguments& arguments) {
  return std::get<std::tuple_size_v<Arguments> - 4>(arguments);
}

/// param_value_size and param_value.
template <class Arguments>
std::pair<std::size_t, void*> answer_memory(const Arguments& arguments) {
  constexpr std::size_t size = std::tuple_size_v<Arguments>;
  return {std::get<size - 3>(arguments), std::get<size - 2>(arguments)};
}

inline constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

template <class Arguments>
constexpr std::size_t wait_list_index() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::size_t found = kNoIndex;
    (((std::is_same_v<std::tuple_element_t<I, Arguments>, const cl_event*> &&
       std::is_same_v<std::tuple_element_t<I + 1, Arguments>, cl_event*>)
          ? void(found = I)
          : void()),
     ...);
    return found;
  }
  (std::make_index_sequence < std::tuple_size_v<Arguments> == 0 ? 0 : std::tuple_size_v<Arguments> - 1 > ());
}

/// Where a command's event_wait_list stands: its size before it, the event that comes back after it.
template <class Arguments>
inline constexpr std::size_t kWaitList = wait_list_index<Arguments>();

/// Where the flag stands that makes a command wait for its own end.
constexpr std::size_t blocking_flag(Entry entry) noexcept {
  switch (entry) {
    case Entry::clEnqueueReadBuffer:
    case Entry::clEnqueueReadBufferRect:
    case Entry::clEnqueueWriteBuffer:
    case Entry::clEnqueueWriteBufferRect:
    case Entry::clEnqueueReadImage:
    case Entry::clEnqueueWriteImage:
    case Entry::clEnqueueMapBuffer:
    case Entry::clEnqueueMapImage:
      return 2;
    case Entry::clEnqueueSVMMemcpy:
    case Entry::clEnqueueSVMMap:
      return 1;
    default:
      return kNoIndex;
  }
}

constexpr bool is_retain(Entry entry) noexcept {
  switch (entry) {
    case Entry::clRetainDevice:
    case Entry::clRetainContext:
    case Entry::clRetainCommandQueue:
    case Entry::clRetainMemObject:
    case Entry::clRetainSampler:
    case Entry::clRetainProgram:
    case Entry::clRetainKernel:
    case Entry::clRetainEvent:
      return true;
    default:
      return false;
  }
}

/// Of a reference that the layer counts.
constexpr bool is_release(Entry entry) noexcept {
  switch (entry) {
    case Entry::clReleaseDevice:
    case Entry::clReleaseContext:
    case Entry::clReleaseCommandQueue:
    case Entry::clReleaseMemObject:
    case Entry::clReleaseSampler:
    case Entry::clReleaseProgram:
    case Entry::clReleaseKernel:
    case Entry::clReleaseEvent:
      return true;
    default:
      return false;
  }
}

/// An error leaves the caller nothing to do but to forget the object: so these happen even when they are to fail.
constexpr bool happens_even_if_refused(Entry entry) noexcept { return is_release(entry) || entry == Entry::clSVMFree; }

}  // namespace anycl::test_layer
