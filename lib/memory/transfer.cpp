#include "anycl/memory/transfer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "context/queue_core.hpp"
#include "device/device_record.hpp"
#include "memory/replicas.hpp"

namespace anycl::detail {
namespace {

struct Labels {
  Label read = make_label("read");
  Label write = make_label("write");
  Label copy = make_label("copy");
  Label fill = make_label("fill");
};

const Labels& labels() {
  static const Labels all;
  return all;
}

/// Nothing to move: an event that completes in its place in the queue.
Event nothing(QueueCore& queue, Label label) { return queue.submit_marker(WaitList(queue), label); }

/// One use of one resource: acquire, submit, commit, with its gate held.
template <class Enqueue>
Event use(QueueCore& queue, Resource& resource, Access access, Label label, Enqueue&& enqueue) {
  queue.lifetime().check_usable();  // before any lock: in a forked child it may be held for ever
  const std::lock_guard lock(resource.gate());
  WaitList waits(queue);
  const auto memory = static_cast<cl_mem>(resource.acquire(queue, access, waits));
  const Event event =
      queue.submit(waits, label, [&](cl_command_queue native, cl_uint count, const cl_event* list, cl_event* done) {
        return enqueue(native, memory, count, list, done);
      });
  resource.commit(queue, access, Event(event));
  return event;
}

/// A write to all of a buffer needs no old contents.
Access write_access(const Resource& to, std::size_t size_bytes) {
  return size_bytes == static_cast<const Replicas&>(to).size_bytes() ? Access::write : Access::read_write;
}

/// What clEnqueueFillBuffer takes as a pattern.
bool is_native_pattern(std::size_t size_bytes) { return std::has_single_bit(size_bytes) && size_bytes <= 128; }

/// How much one command fills: whole patterns, and no more than the driver bears. The event of a fill in pieces is that of
/// its last one, device time too.
std::size_t largest_fill(const Device& device, std::size_t pattern_bytes) {
  const auto limit = device.record().faults.max_fill_bytes.value_or(std::numeric_limits<std::size_t>::max());
  return std::max(limit / pattern_bytes, std::uint64_t{1}) * pattern_bytes;
}

std::vector<std::byte> repeated(std::span<const std::byte> pattern, std::size_t size_bytes) {
  std::vector<std::byte> bytes(size_bytes);
  for (std::size_t i = 0; i < size_bytes; i += pattern.size())
    std::copy(pattern.begin(), pattern.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
  return bytes;
}

}  // namespace

void check_elements(std::string_view verb, std::size_t first, std::size_t count, std::size_t size) {
  if (first <= size && count <= size - first) return;
  throw InvalidArgument(fmt::format("{}: {} elements from {} on end past size {}", verb, count, first, size));
}

Event read_bytes(Queue& queue, const std::shared_ptr<Resource>& from, std::size_t offset, std::span<std::byte> to) {
  QueueCore& core = *queue.core();
  if (to.empty()) return nothing(core, labels().read);
  return use(core, *from, Access::read, labels().read,
             [&](cl_command_queue native, cl_mem memory, cl_uint count, const cl_event* list, cl_event* done) {
               return clEnqueueReadBuffer(native, memory, CL_FALSE, offset, to.size(), to.data(), count, list, done);
             });
}

Event write_bytes(Queue& queue, const std::shared_ptr<Resource>& to, std::size_t offset,
                  std::span<const std::byte> from, std::shared_ptr<void> keep) {
  QueueCore& core = *queue.core();
  if (from.empty()) return nothing(core, labels().write);
  const Event event =
      use(core, *to, write_access(*to, from.size()), labels().write,
          [&](cl_command_queue native, cl_mem memory, cl_uint count, const cl_event* list, cl_event* done) {
            return clEnqueueWriteBuffer(native, memory, CL_FALSE, offset, from.size(), from.data(), count, list, done);
          });
  if (keep != nullptr) core.keep(event, std::move(keep));
  return event;
}

Event copy_bytes(Queue& queue, const std::shared_ptr<Resource>& from, std::size_t from_offset,
                 const std::shared_ptr<Resource>& to, std::size_t to_offset, std::size_t size_bytes) {
  QueueCore& core = *queue.core();
  if (size_bytes == 0) return nothing(core, labels().copy);
  const bool same = from == to;
  if (same && from_offset < to_offset + size_bytes && to_offset < from_offset + size_bytes)
    throw InvalidArgument("copy: source and target overlap in one buffer");
  core.lifetime().check_usable();
  std::unique_lock first(std::min(from.get(), to.get())->gate());
  std::unique_lock<std::mutex> second;
  if (!same) second = std::unique_lock(std::max(from.get(), to.get())->gate());

  WaitList waits(core);
  const Access access = same ? Access::read_write : write_access(*to, size_bytes);
  const auto source = static_cast<cl_mem>(from->acquire(core, Access::read, waits));
  const auto target = static_cast<cl_mem>(to->acquire(core, access, waits));
  const Event event = core.submit(
      waits, labels().copy, [&](cl_command_queue native, cl_uint count, const cl_event* list, cl_event* done) {
        return clEnqueueCopyBuffer(native, source, target, from_offset, to_offset, size_bytes, count, list, done);
      });
  from->commit(core, Access::read, Event(event));
  to->commit(core, access, Event(event));
  return event;
}

Event fill_bytes(Queue& queue, const std::shared_ptr<Resource>& to, std::size_t offset, std::size_t size_bytes,
                 std::span<const std::byte> pattern) {
  QueueCore& core = *queue.core();
  if (size_bytes == 0) return nothing(core, labels().fill);
  if (!is_native_pattern(pattern.size())) {
    const auto bytes = std::make_shared<std::vector<std::byte>>(repeated(pattern, size_bytes));
    return write_bytes(queue, to, offset, *bytes, bytes);
  }
  const std::size_t most = largest_fill(core.device(), pattern.size());
  Access access = write_access(*to, size_bytes);
  Event event;
  for (const std::size_t end = offset + size_bytes; offset < end;) {
    const std::size_t piece = std::min(most, end - offset);
    event = use(core, *to, access, labels().fill,
                [&](cl_command_queue native, cl_mem memory, cl_uint count, const cl_event* list, cl_event* done) {
                  return clEnqueueFillBuffer(native, memory, pattern.data(), pattern.size(), offset, piece, count, list,
                                             done);
                });
    access = Access::read_write;  // what the first piece left is wanted now
    offset += piece;
  }
  return event;
}

void read_bytes_now(const std::shared_ptr<Resource>& from, std::span<std::byte> to) {
  if (!to.empty()) static_cast<Replicas&>(*from).read_now(to);
}

}  // namespace anycl::detail
