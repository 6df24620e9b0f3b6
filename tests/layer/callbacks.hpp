/// \file  Callbacks of applications, wrapped so that the layer knows which calls come from inside one.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <CL/cl.h>

#include "process.hpp"

namespace anycl::test_layer {

/// void f(what happened..., void* user_data): all callbacks but the functions of clEnqueueNativeKernel.
template <class T>
struct CallbackTraits : std::false_type {};

template <class... Parameters>
  requires(sizeof...(Parameters) >= 2)
struct CallbackTraits<void(CL_CALLBACK*)(Parameters...)> : std::true_type {
  using Function = void(CL_CALLBACK*)(Parameters...);

  /// What the driver is given as user data. A context's callback may come any number of times, and so its wrap stays for
  /// good; all others come once.
  struct Wrap {
    Function function;
    void* user_data;
    static constexpr bool kOnce = !std::is_same_v<std::tuple_element_t<0, std::tuple<Parameters...>>, const char*>;
  };

  static void CL_CALLBACK call(Parameters... parameters) {
    std::tuple<Parameters...> arguments{parameters...};
    void*& user_data = std::get<sizeof...(Parameters) - 1>(arguments);
    auto* wrap = static_cast<Wrap*>(user_data);
    const Function function = wrap->function;
    user_data = wrap->user_data;
    if constexpr (Wrap::kOnce) delete wrap;
    const InCallback inside;
    std::apply(function, arguments);
  }
};

template <std::size_t I, class... Arguments>
void wrap_callback(std::tuple<Arguments...>& arguments) {
  using Traits = CallbackTraits<std::tuple_element_t<I, std::tuple<Arguments...>>>;
  if constexpr (Traits::value) {
    auto& function = std::get<I>(arguments);
    auto& user_data = std::get<I + 1>(arguments);
    if (function == nullptr) return;
    // A driver that refuses the call may or may not call back: then the wrap is left.
    user_data = new typename Traits::Wrap{function, user_data};
    function = &Traits::call;
  }
}

/// Puts wraps in the place of the callbacks among `arguments`.
template <class... Arguments>
void wrap_callbacks(std::tuple<Arguments...>& arguments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (wrap_callback<I>(arguments), ...); }
  (std::index_sequence_for<Arguments...>());
}

}  // namespace anycl::test_layer
