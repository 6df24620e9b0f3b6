/// \file  The frame of every OpenCL call: exceptions become codes, and answers to queries are given by one rule.
#pragma once

#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "object.hpp"
#include "thread_state.hpp"

namespace anycl::stub {

/// Runs the body of a call that answers a code.
template <class Body>
cl_int serve(Body&& body, const char* call = __builtin_FUNCTION()) noexcept {
  try {
    ThreadState::mine().current_call = call;
    body();
    return CL_SUCCESS;
  } catch (const Failure& failure) {
    return failure.code;
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  }
}

/// Runs the body of a call that answers a handle or a pointer, and its code on the side.
template <class Body>
auto serve_object(cl_int* code, Body&& body, const char* call = __builtin_FUNCTION()) noexcept {
  decltype(body()) object = nullptr;
  const cl_int result = serve([&] { object = body(); }, call);
  if (code != nullptr) *code = result;
  return object;
}

template <class T>
cl_int retain(typename T::Handle handle, const char* call = __builtin_FUNCTION()) noexcept {
  return serve([&] { object_of<T>(handle).add_reference(); }, call);
}

template <class T>
cl_int release(typename T::Handle handle, const char* call = __builtin_FUNCTION()) noexcept {
  return serve(
      [&] {
        T& object = object_of<T>(handle);
        if (!object.drop_reference(T::kKind)) return;
        object.closed();
        static_cast<void>(Ref<T>::adopt(object));
      },
      call);
}

/// Where a query wants its answer.
class Answer {
 public:
  Answer(std::size_t size, void* value, std::size_t* size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

  void bytes(const void* from, std::size_t size) const {
    require(value_ == nullptr || size_ >= size, CL_INVALID_VALUE);
    if (value_ != nullptr && size != 0) std::memcpy(value_, from, size);
    if (size_ret_ != nullptr) *size_ret_ = size;
  }

  template <class T>
  void value(const T& answer) const {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&answer, sizeof answer);
  }

  void flag(bool answer) const { value<cl_bool>(answer ? CL_TRUE : CL_FALSE); }

  template <class T>
  void list(const std::vector<T>& answer) const {
    bytes(answer.data(), answer.size() * sizeof(T));
  }

  /// With the zero byte at its end.
  void text(std::string_view answer) const {
    std::vector<char> whole(answer.begin(), answer.end());
    whole.push_back('\0');
    list(whole);
  }

  /// The place itself, for the one query whose answer is an array of pointers to fill.
  [[nodiscard]] void* place(std::size_t needed) const {
    if (size_ret_ != nullptr) *size_ret_ = needed;
    require(value_ == nullptr || size_ >= needed, CL_INVALID_VALUE);
    return value_;
  }

 private:
  std::size_t size_;
  void* value_;
  std::size_t* size_ret_;
};

/// Answers a "how many, then which" call.
template <class T>
void give_handles(const std::vector<Ref<T>>& objects, cl_uint size, typename T::Handle* handles, cl_uint* count) {
  require(handles == nullptr || size != 0, CL_INVALID_VALUE);
  require(handles != nullptr || count != nullptr, CL_INVALID_VALUE);
  for (std::size_t i = 0; handles != nullptr && i < objects.size() && i < size; ++i)
    handles[i] = handle_of(*objects[i]);
  if (count != nullptr) *count = static_cast<cl_uint>(objects.size());
}

}  // namespace anycl::stub
