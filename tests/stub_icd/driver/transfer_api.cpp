// Reading, writing, copying, filling and mapping memory objects.
#include <algorithm>
#include <cstring>

#include "dispatch.hpp"
#include "entry.hpp"
#include "memory.hpp"
#include "nd_range.hpp"
#include "queue.hpp"

namespace anycl::stub {
namespace {

constexpr cl_mem_flags kHostCannotRead = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostCannotWrite = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/// What the link between host and device takes, where it is modelled.
void cross_link(const Device& device, std::size_t size_bytes) {
  if (!machine().settings.link_modelled || device.model.link_gb_s == 0) return;
  spend_ns(static_cast<std::uint64_t>(static_cast<double>(size_bytes) / device.model.link_gb_s));
}

Memory& memory_in(const Queue& queue, cl_mem handle) {
  Memory& memory = object_of<Memory>(handle);
  require(memory.context.get() == queue.context.get(), CL_INVALID_CONTEXT);
  return memory;
}

void check_region(const Memory& memory, std::size_t offset, std::size_t size) {
  require(size != 0 && offset <= memory.size_bytes && size <= memory.size_bytes - offset, CL_INVALID_VALUE);
}

/// The lines of a box in memory.
struct Box {
  Sizes origin{};
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;

  /// Fills in pitches that were left 0. \throws Failure  CL_INVALID_VALUE for ones that cannot be
  Box(const std::size_t* origin_of, std::size_t row, std::size_t slice, const Sizes& region)
      : origin{origin_of[0], origin_of[1], origin_of[2]},
        row_pitch(row == 0 ? region[0] : row),
        slice_pitch(slice == 0 ? row_pitch * region[1] : slice) {
    require(row_pitch >= region[0], CL_INVALID_VALUE);
    require(slice_pitch >= row_pitch * region[1] && slice_pitch % row_pitch == 0, CL_INVALID_VALUE);
  }

  [[nodiscard]] std::size_t offset(std::size_t y, std::size_t z) const noexcept {
    return (origin[2] + z) * slice_pitch + (origin[1] + y) * row_pitch + origin[0];
  }
  /// One past the last byte.
  [[nodiscard]] std::size_t end(const Sizes& region) const noexcept {
    return offset(region[1] - 1, region[2] - 1) + region[0];
  }
};

Sizes read_region(const std::size_t* region) {
  require(region != nullptr && region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE);
  return {region[0], region[1], region[2]};
}

void copy_box(std::byte* to, const Box& to_box, const std::byte* from, const Box& from_box, const Sizes& region) {
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      std::memcpy(to + to_box.offset(y, z), from + from_box.offset(y, z), region[0]);
}

/// Both directions between a box of a buffer and a box of the host.
struct HostBox {
  const std::size_t* buffer_origin;
  const std::size_t* host_origin;
  const std::size_t* region;
  std::size_t buffer_row, buffer_slice, host_row, host_slice;
};

void transfer_box(cl_command_queue queue_handle, cl_mem memory_handle, const HostBox& box, std::byte* host, bool reads,
                  const EnqueueTail& tail) {
  Queue& queue = object_of<Queue>(queue_handle);
  Memory& memory = memory_in(queue, memory_handle);
  require(host != nullptr && box.buffer_origin != nullptr && box.host_origin != nullptr, CL_INVALID_VALUE);
  require((memory.flags & (reads ? kHostCannotRead : kHostCannotWrite)) == 0, CL_INVALID_OPERATION);
  const Sizes region = read_region(box.region);
  const Box device_box(box.buffer_origin, box.buffer_row, box.buffer_slice, region);
  const Box host_box(box.host_origin, box.host_row, box.host_slice, region);
  require(device_box.end(region) <= memory.size_bytes, CL_INVALID_VALUE);
  submit(queue, reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, tail,
         [device = queue.device, buffer = Ref(memory), device_box, host, host_box, region, reads] {
           cross_link(*device, region[0] * region[1] * region[2]);
           if (reads)
             copy_box(host, host_box, buffer->data(), device_box, region);
           else
             copy_box(buffer->data(), device_box, host, host_box, region);
           return CL_COMPLETE;
         });
}

bool overlap(const Memory& from, std::size_t from_offset, const Memory& to, std::size_t to_offset, std::size_t size) {
  const std::byte* a = from.data() + from_offset;
  const std::byte* b = to.data() + to_offset;
  return a < b + size && b < a + size;
}

bool is_pattern_size(std::size_t size) { return size >= 1 && size <= 128 && (size & (size - 1)) == 0; }

/// Doubles what is there, so that small patterns are quick too.
void fill(std::byte* to, std::size_t size, const std::vector<std::byte>& pattern) {
  std::memcpy(to, pattern.data(), pattern.size());
  for (std::size_t filled = pattern.size(); filled < size;) {
    const std::size_t step = std::min(filled, size - filled);
    std::memcpy(to + filled, to, step);
    filled += step;
  }
}

void* map(cl_command_queue queue_handle, cl_mem memory_handle, cl_map_flags flags, std::size_t offset, std::size_t size,
          const EnqueueTail& tail) {
  Queue& queue = object_of<Queue>(queue_handle);
  Memory& memory = memory_in(queue, memory_handle);
  check_region(memory, offset, size);
  require(flags != 0 && (flags & ~cl_map_flags{CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION}) == 0,
          CL_INVALID_VALUE);
  const cl_mem_flags refused = (flags & CL_MAP_READ) != 0 ? kHostCannotRead : kHostCannotWrite;
  require((memory.flags & refused) == 0, CL_INVALID_OPERATION);
  void* pointer = memory.data() + offset;
  memory.add_mapping(pointer);
  submit(queue, CL_COMMAND_MAP_BUFFER, tail, [device = queue.device, buffer = Ref(memory), flags, size] {
    if ((flags & CL_MAP_READ) != 0) cross_link(*device, size);
    return CL_COMPLETE;
  });
  return pointer;
}

}  // namespace

cl_int clEnqueueReadBuffer(cl_command_queue queue_handle, cl_mem memory_handle, cl_bool blocking, size_t offset,
                           size_t size, void* to, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    Memory& memory = memory_in(queue, memory_handle);
    require(to != nullptr, CL_INVALID_VALUE);
    check_region(memory, offset, size);
    require((memory.flags & kHostCannotRead) == 0, CL_INVALID_OPERATION);
    submit(queue, CL_COMMAND_READ_BUFFER, {count, waits, event, blocking != CL_FALSE},
           [device = queue.device, buffer = Ref(memory), offset, size, to] {
             cross_link(*device, size);
             std::memcpy(to, buffer->data() + offset, size);
             return CL_COMPLETE;
           });
  });
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue_handle, cl_mem memory_handle, cl_bool blocking, size_t offset,
                            size_t size, const void* from, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    Memory& memory = memory_in(queue, memory_handle);
    require(from != nullptr, CL_INVALID_VALUE);
    check_region(memory, offset, size);
    require((memory.flags & kHostCannotWrite) == 0, CL_INVALID_OPERATION);
    submit(queue, CL_COMMAND_WRITE_BUFFER, {count, waits, event, blocking != CL_FALSE},
           [device = queue.device, buffer = Ref(memory), offset, size, from] {
             cross_link(*device, size);
             std::memcpy(buffer->data() + offset, from, size);
             return CL_COMPLETE;
           });
  });
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue_handle, cl_mem from_handle, cl_mem to_handle, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    Memory& from = memory_in(queue, from_handle);
    Memory& to = memory_in(queue, to_handle);
    check_region(from, from_offset, size);
    check_region(to, to_offset, size);
    require(!overlap(from, from_offset, to, to_offset, size), CL_MEM_COPY_OVERLAP);
    submit(queue, CL_COMMAND_COPY_BUFFER, {count, waits, event},
           [source = Ref(from), target = Ref(to), from_offset, to_offset, size] {
             std::memcpy(target->data() + to_offset, source->data() + from_offset, size);
             return CL_COMPLETE;
           });
  });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue_handle, cl_mem memory_handle, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint count, const cl_event* waits,
                           cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    Memory& memory = memory_in(queue, memory_handle);
    require(pattern != nullptr && is_pattern_size(pattern_size), CL_INVALID_VALUE);
    check_region(memory, offset, size);
    require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
    const auto* bytes = static_cast<const std::byte*>(pattern);
    submit(queue, CL_COMMAND_FILL_BUFFER, {count, waits, event},
           [buffer = Ref(memory), offset, size, copy = std::vector<std::byte>(bytes, bytes + pattern_size)] {
             fill(buffer->data() + offset, size, copy);
             return CL_COMPLETE;
           });
  });
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t* buffer_origin,
                               const size_t* host_origin, const size_t* region, size_t buffer_row, size_t buffer_slice,
                               size_t host_row, size_t host_slice, void* to, cl_uint count, const cl_event* waits,
                               cl_event* event) {
  return serve([&] {
    transfer_box(queue, memory, {buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row, host_slice},
                 static_cast<std::byte*>(to), true, {count, waits, event, blocking != CL_FALSE});
  });
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t* buffer_origin,
                                const size_t* host_origin, const size_t* region, size_t buffer_row, size_t buffer_slice,
                                size_t host_row, size_t host_slice, const void* from, cl_uint count,
                                const cl_event* waits, cl_event* event) {
  return serve([&] {
    // Read from only.
    auto* host = static_cast<std::byte*>(const_cast<void*>(from));
    transfer_box(queue, memory, {buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row, host_slice},
                 host, false, {count, waits, event, blocking != CL_FALSE});
  });
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue_handle, cl_mem from_handle, cl_mem to_handle,
                               const size_t* from_origin, const size_t* to_origin, const size_t* region_given,
                               size_t from_row, size_t from_slice, size_t to_row, size_t to_slice, cl_uint count,
                               const cl_event* waits, cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    Memory& from = memory_in(queue, from_handle);
    Memory& to = memory_in(queue, to_handle);
    require(from_origin != nullptr && to_origin != nullptr, CL_INVALID_VALUE);
    const Sizes region = read_region(region_given);
    const Box from_box(from_origin, from_row, from_slice, region);
    const Box to_box(to_origin, to_row, to_slice, region);
    require(from_box.end(region) <= from.size_bytes && to_box.end(region) <= to.size_bytes, CL_INVALID_VALUE);
    submit(queue, CL_COMMAND_COPY_BUFFER_RECT, {count, waits, event},
           [source = Ref(from), target = Ref(to), from_box, to_box, region] {
             copy_box(target->data(), to_box, source->data(), from_box, region);
             return CL_COMPLETE;
           });
  });
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset,
                         size_t size, cl_uint count, const cl_event* waits, cl_event* event, cl_int* code) {
  return serve_object(code, [&] {
    return map(queue, memory, flags, offset, size, {count, waits, event, blocking != CL_FALSE});
  });
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue_handle, cl_mem memory_handle, void* pointer, cl_uint count,
                               const cl_event* waits, cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    Memory& memory = memory_in(queue, memory_handle);
    memory.drop_mapping(pointer);
    submit(queue, CL_COMMAND_UNMAP_MEM_OBJECT, {count, waits, event}, [buffer = Ref(memory)] { return CL_COMPLETE; });
  });
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue_handle, cl_uint size, const cl_mem* memories,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] {
    Queue& queue = object_of<Queue>(queue_handle);
    constexpr cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    require(size != 0 && memories != nullptr && (flags & ~known) == 0, CL_INVALID_VALUE);
    std::size_t bytes = 0;
    for (cl_uint i = 0; i < size; ++i) bytes += memory_in(queue, memories[i]).size_bytes;
    if ((flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) != 0) bytes = 0;
    submit(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, {count, waits, event}, [device = queue.device, bytes] {
      cross_link(*device, bytes);
      return CL_COMPLETE;
    });
  });
}

}  // namespace anycl::stub
