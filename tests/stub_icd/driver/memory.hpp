/// \file  A buffer: host memory.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "context.hpp"

namespace anycl::stub {

class Memory : public Object {
 public:
  using Handle = cl_mem;
  static constexpr ObjectKind kKind{"memory object", 0x6d656d6f72792121, CL_INVALID_MEM_OBJECT};

  /// A buffer of its own, or on memory of the program. \throws Failure  when the machine has not so much left
  Memory(Ref<Context> its_context, cl_mem_flags its_flags, std::size_t size, void* host_pointer);
  /// A part of another buffer.
  Memory(Ref<Memory> whole, cl_mem_flags its_flags, std::size_t origin, std::size_t size);
  ~Memory();

  const Ref<Context> context;
  const Ref<Memory> parent;  ///< null for a buffer of its own
  const cl_mem_flags flags;
  const std::size_t origin = 0;  ///< in the parent
  const std::size_t size_bytes;
  DestructorCallbacks<cl_mem> destructor_callbacks;

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] void* host_pointer() const noexcept { return host_pointer_; }

  void add_mapping(const void* pointer);
  /// \throws Failure  CL_INVALID_VALUE for a pointer that is not mapped
  void drop_mapping(const void* pointer);
  [[nodiscard]] cl_uint mappings() const;

 private:
  std::unique_ptr<std::byte[]> own_;
  void* host_pointer_ = nullptr;
  std::byte* data_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<const void*> mapped_;
};

}  // namespace anycl::stub
