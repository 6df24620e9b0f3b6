/// \file  Reading OpenCL info values without trusting the driver. Layer 1 (device).
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "device/opencl.hpp"

namespace anycl::detail {

/// Calls an info function `get(size, value, size_ret)` for one plain value. Nothing when the driver refuses or gives
/// another size: out-values of a failed call are never looked at, since some drivers leave them untouched.
template <class T, class Get>
  requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::optional<T> read_value(Get&& get) {
  T value{};
  size_t size = 0;
  if (get(sizeof value, &value, &size) != CL_SUCCESS || size != sizeof value) return std::nullopt;
  return value;
}

/// The same for an array of `T`. An answer of more than kLongestAnswer bytes is a driver's mistake, and none.
template <class T, class Get>
[[nodiscard]] std::optional<std::vector<T>> read_array(Get&& get) {
  constexpr size_t kLongestAnswer = size_t{64} << 20;  // build logs are the longest
  size_t size = 0;
  if (get(0, nullptr, &size) != CL_SUCCESS || size > kLongestAnswer) return std::nullopt;
  std::vector<T> values(size / sizeof(T));
  if (values.empty()) return values;
  if (get(values.size() * sizeof(T), values.data(), nullptr) != CL_SUCCESS) return std::nullopt;
  return values;
}

/// The same for text of any length; trailing zero bytes and blanks at both ends are dropped.
template <class Get>
[[nodiscard]] std::optional<std::string> read_text(Get&& get) {
  const auto bytes = read_array<char>(get);
  if (!bytes) return std::nullopt;
  const std::string text(bytes->begin(), bytes->end());
  const std::string whole = text.substr(0, text.find('\0'));
  const auto first = whole.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return std::string();
  return whole.substr(first, whole.find_last_not_of(" \t\r\n") - first + 1);
}

/// Adapts `clGet...Info(object, parameter, size, value, size_ret)` to the shape the readers above take.
template <class Function, class Object>
[[nodiscard]] auto info(Function* function, Object object, cl_uint what) {
  return [=](size_t size, void* value, size_t* size_ret) { return function(object, what, size, value, size_ret); };
}

/// The same for functions that ask about one object as another sees it: a program on a device, a kernel's argument.
template <class Function, class Object, class Part>
[[nodiscard]] auto info(Function* function, Object object, Part part, cl_uint what) {
  return
      [=](size_t size, void* value, size_t* size_ret) { return function(object, part, what, size, value, size_ret); };
}

}  // namespace anycl::detail
