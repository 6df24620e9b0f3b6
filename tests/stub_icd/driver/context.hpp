/// \file  A context: the devices of one platform.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "machine.hpp"
#include "object.hpp"

namespace anycl::stub {

/// Functions of the program to be called at the end of an object, the last one given first.
template <class Handle>
class DestructorCallbacks {
 public:
  using Function = void(CL_CALLBACK*)(Handle, void*);

  void add(Function function, void* data) {
    const std::lock_guard lock(mutex_);
    callbacks_.emplace_back(function, data);
  }

  void call(Handle handle) {
    for (auto callback = callbacks_.rbegin(); callback != callbacks_.rend(); ++callback)
      callback->first(handle, callback->second);
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Function, void*>> callbacks_;
};

class Context : public Object {
 public:
  using Handle = cl_context;
  static constexpr ObjectKind kKind{"context", 0x636f6e7465787421, CL_INVALID_CONTEXT};

  Context(std::vector<Ref<Device>> its_devices, std::vector<cl_context_properties> its_properties)
      : Object(kKind), devices(std::move(its_devices)), properties(std::move(its_properties)) {}
  ~Context() { destructor_callbacks.call(handle_of(*this)); }

  [[nodiscard]] bool has(const Device& device) const noexcept {
    for (const Ref<Device>& own : devices)
      if (own.get() == &device) return true;
    return false;
  }

  const std::vector<Ref<Device>> devices;
  const std::vector<cl_context_properties> properties;
  DestructorCallbacks<cl_context> destructor_callbacks;
};

}  // namespace anycl::stub
