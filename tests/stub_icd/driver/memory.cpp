#include "memory.hpp"

#include <algorithm>
#include <cstring>

#include "machine.hpp"

namespace anycl::stub {
namespace {

/// What nobody wrote is neither zero nor anything useful. Large memory is left as the system gives it.
constexpr int kGarbage = 0xa5;
constexpr std::size_t kGarbageBytes = 1 << 20;

std::unique_ptr<std::byte[]> allocate(std::size_t size_bytes) {
  machine().take_memory(size_bytes);
  try {
    std::unique_ptr<std::byte[]> memory(new std::byte[size_bytes]);
    std::memset(memory.get(), kGarbage, std::min(size_bytes, kGarbageBytes));
    return memory;
  } catch (const std::bad_alloc&) {
    machine().give_memory(size_bytes);
    throw Failure{CL_MEM_OBJECT_ALLOCATION_FAILURE};
  }
}

}  // namespace

Memory::Memory(Ref<Context> its_context, cl_mem_flags its_flags, std::size_t size, void* host_pointer)
    : Object(kKind), context(std::move(its_context)), flags(its_flags), size_bytes(size) {
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    host_pointer_ = host_pointer;
    data_ = static_cast<std::byte*>(host_pointer);
    return;
  }
  own_ = allocate(size_bytes);
  data_ = own_.get();
  if ((flags & CL_MEM_COPY_HOST_PTR) != 0) std::memcpy(data_, host_pointer, size_bytes);
}

Memory::Memory(Ref<Memory> whole, cl_mem_flags its_flags, std::size_t its_origin, std::size_t size)
    : Object(kKind),
      context(whole->context),
      parent(std::move(whole)),
      flags(its_flags),
      origin(its_origin),
      size_bytes(size),
      host_pointer_(parent->host_pointer_ == nullptr ? nullptr
                                                     : static_cast<std::byte*>(parent->host_pointer_) + origin),
      data_(parent->data_ + origin) {}

Memory::~Memory() {
  destructor_callbacks.call(handle_of(*this));
  if (own_) machine().give_memory(size_bytes);
}

void Memory::add_mapping(const void* pointer) {
  const std::lock_guard lock(mutex_);
  mapped_.push_back(pointer);
}

void Memory::drop_mapping(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(mapped_.begin(), mapped_.end(), pointer);
  require(found != mapped_.end(), CL_INVALID_VALUE);
  mapped_.erase(found);
}

cl_uint Memory::mappings() const {
  const std::lock_guard lock(mutex_);
  return static_cast<cl_uint>(mapped_.size());
}

}  // namespace anycl::stub
