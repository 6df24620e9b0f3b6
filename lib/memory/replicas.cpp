#include "memory/replicas.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/memory/buffer.hpp"
#include "device/check.hpp"
#include "device/device_record.hpp"

namespace anycl::detail {
namespace {

/// The largest single allocation of a device; some drivers take larger ones than they tell, when asked for them.
std::uint64_t allocation_limit(const Device& device) {
  const Capabilities& facts = device.capabilities();
  const bool takes_larger = device.record().faults.large_buffer_flag.has_value();
  return takes_larger ? std::max(facts.max_allocation_bytes, facts.global_memory_bytes) : facts.max_allocation_bytes;
}

cl_mem_flags size_flag(const Device& device, std::size_t size_bytes) {
  if (size_bytes <= device.capabilities().max_allocation_bytes) return 0;
  return device.record().faults.large_buffer_flag.value_or(0);
}

/// Of all devices of a context; a native context of several devices refuses only what none of them could take.
std::uint64_t best_limit(const ContextCore& context) {
  std::uint64_t best = 0;
  for (const Device& device : context.devices()) best = std::max(best, allocation_limit(device));
  return best;
}

[[noreturn]] void throw_too_big(std::size_t asked, std::uint64_t limit, std::string_view where) {
  throw OutOfMemory(
      fmt::format("buffer of {} bytes asked for; the largest allocation {} is {} bytes", asked, where, limit), asked,
      limit);
}

std::shared_ptr<Replicas> make_replicas(std::shared_ptr<ContextCore> context, std::size_t count,
                                        std::size_t element_bytes) {
  if (count > std::numeric_limits<std::size_t>::max() / element_bytes)
    throw_too_big(std::numeric_limits<std::size_t>::max(), best_limit(*context), "on any device of the context");
  return std::make_shared<Replicas>(std::move(context), count * element_bytes);
}

/// Waits for work whose outcome no longer matters.
void settle(const Event& event) {
  if (event.state() != nullptr) event.state()->settle();
}

/// A read or write of our own that is done when the call returns.
void check_transfer(cl_int code, const QueueCore& queue) {
  if (code != CL_SUCCESS) throw_cl(code, "transfer", fmt::format("buffer contents on {}", queue.device().name()));
}

}  // namespace

std::shared_ptr<Resource> make_storage(Context& context, std::size_t count, std::size_t element_bytes,
                                       const void* host) {
  auto replicas = make_replicas(context.core(), count, element_bytes);
  if (host != nullptr && count > 0) replicas->initialise(host);
  return replicas;
}

std::shared_ptr<Resource> make_storage(const Queue& queue, std::size_t count, std::size_t element_bytes) {
  return make_replicas(queue.core()->owner(), count, element_bytes);
}

Replicas::Replicas(std::shared_ptr<ContextCore> context, std::size_t size_bytes)
    : context_(std::move(context)), size_bytes_(size_bytes), replicas_(context_->native_count()) {
  context_->lifetime().check_usable();
  if (const std::uint64_t limit = best_limit(*context_); size_bytes_ > limit)
    throw_too_big(size_bytes_, limit, "on any device of the context");
}

Replicas::~Replicas() {
  for (Replica& replica : replicas_) release(replica.memory, context_->lifetime());
}

void Replicas::Replica::add_read(Event&& event) noexcept {
  for (Event& known : reads) {
    if (&known.state()->queue() != &event.state()->queue()) continue;
    known = std::move(event);
    return;
  }
  // A new queue reads: let go of those that are done, or queues that come and go would all be kept.
  std::erase_if(reads, [](const Event& known) { return known.state()->status() != EventStatus::submitted; });
  reads.push_back(std::move(event));
}

void Replicas::Replica::throw_if_lost() const {
  if (last_write.state() != nullptr && last_write.state()->known_failed())
    throw Cancelled("its input was not made: " + last_write.state()->failure());
}

Replicas::Replica* Replicas::valid_replica() noexcept {
  const auto found = std::find_if(replicas_.begin(), replicas_.end(), [](const Replica& r) { return r.valid; });
  return found == replicas_.end() ? nullptr : &*found;
}

std::size_t Replicas::index_of(const Replica& replica) const noexcept {
  return static_cast<std::size_t>(&replica - replicas_.data());
}

void Replicas::check_fits(const Device& device) const {
  if (const std::uint64_t limit = allocation_limit(device); size_bytes_ > limit)
    throw_too_big(size_bytes_, limit, fmt::format("on {}", device.name()));
}

void Replicas::allocate(Replica& replica, NativeContext& native, const Device& device, const void* host) {
  const cl_mem_flags flags =
      CL_MEM_READ_WRITE | (host != nullptr ? CL_MEM_COPY_HOST_PTR : 0) | size_flag(device, size_bytes_);
  cl_int code = CL_SUCCESS;
  // The specification takes a const host pointer here and leaves the host's memory alone.
  replica.memory() = clCreateBuffer(native.handle(), flags, size_bytes_, const_cast<void*>(host), &code);
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
      code == CL_INVALID_BUFFER_SIZE)
    throw OutOfMemory(fmt::format("buffer of {} bytes asked for; {} refuses with {}", size_bytes_, device.name(),
                                  describe_code(code)),
                      size_bytes_, allocation_limit(device));
  check_cl(code, "clCreateBuffer");
}

void Replicas::initialise(const void* host) {
  for (std::size_t i = 0; i < context_->devices().size(); ++i) {
    const Device& device = context_->devices()[i];
    if (size_bytes_ > allocation_limit(device)) continue;
    NativeContext& native = *context_->native_of(i);
    Replica& replica = replicas_[native.index()];
    allocate(replica, native, device, host);
    replica.valid = true;
    return;
  }
}

void* Replicas::acquire(QueueCore& queue, Access access, WaitList& waits) {
  if (&queue.lifetime() != &context_->lifetime()) throw InvalidArgument("buffer used on a queue of another context");
  if (size_bytes_ == 0) return nullptr;
  Replica& replica = replicas_[queue.context().index()];
  check_fits(queue.device());  // each time: another device of the same native context may have made the replica
  if (replica.memory() == nullptr) allocate(replica, queue.context(), queue.device(), nullptr);
  if (access != Access::write && !replica.valid)
    if (Replica* source = valid_replica()) move_contents(*source, replica, queue.context().index());
  waits.add(replica.last_write);
  if (access != Access::write) replica.throw_if_lost();
  if (access != Access::read)
    for (const Event& read : replica.reads) waits.add(read);
  return replica.memory();
}

void Replicas::commit(QueueCore& queue, Access access, Event&& event) noexcept {
  if (size_bytes_ == 0) return;
  Replica& replica = replicas_[queue.context().index()];
  if (access == Access::read) return replica.add_read(std::move(event));
  for (Replica& other : replicas_) other.valid = false;
  replica.valid = true;
  replica.last_write = std::move(event);
  replica.reads.clear();
}

/// Through the host, a piece at a time: the two drivers know nothing of each other.
void Replicas::move_contents(Replica& from, Replica& to, std::size_t to_index) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  from.last_write.wait();
  settle(to.last_write);
  for (const Event& read : to.reads) settle(read);
  QueueCore& source = context_->transfer_queue(index_of(from));
  QueueCore& target = context_->transfer_queue(to_index);
  std::vector<std::byte> piece(std::min(kPiece, size_bytes_));
  for (std::size_t offset = 0; offset < size_bytes_; offset += piece.size()) {
    const std::size_t size = std::min(piece.size(), size_bytes_ - offset);
    check_transfer(
        clEnqueueReadBuffer(source.native(), from.memory(), CL_TRUE, offset, size, piece.data(), 0, nullptr, nullptr),
        source);
    // A blocking write only promises that the host's memory is free again (and so does Intel's): wait for the write itself.
    cl_event event = nullptr;  // no handle that releases it yet: a driver may write rubbish here and fail
    check_transfer(
        clEnqueueWriteBuffer(target.native(), to.memory(), CL_TRUE, offset, size, piece.data(), 0, nullptr, &event),
        target);
    const cl::Event written(event);
    check_transfer(clWaitForEvents(1, &event), target);
  }
  to.valid = true;
  to.last_write = Event();
  to.reads.clear();
}

void Replicas::read_now(std::span<std::byte> to) {
  context_->lifetime().check_usable();  // before any lock: in a forked child it may be held for ever
  const std::lock_guard lock(gate_);
  Replica* replica = valid_replica();
  if (to.empty() || replica == nullptr) return;
  QueueCore& queue = context_->transfer_queue(index_of(*replica));
  WaitList waits(queue);
  waits.add(replica->last_write);
  const cl_int code = clEnqueueReadBuffer(queue.native(), replica->memory(), CL_TRUE, 0, to.size(), to.data(),
                                          waits.size(), waits.data(), nullptr);
  // The write's own error says more than that of a read which had to wait for it.
  replica->last_write.wait();
  check_transfer(code, queue);
}

}  // namespace anycl::detail
