/// \file  One logical buffer in several drivers' memories. Layer 4 (memory).
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "anycl/context/resource.hpp"
#include "context/context_core.hpp"
#include "context/queue_core.hpp"

namespace anycl::detail {

/// A memory object per native context, made on first use, and the rule of hazards: a read waits for the last write, a
/// write for the last write and the reads since. All replicas that are valid hold the same bytes.
class Replicas final : public Resource {
 public:
  /// \throws OutOfMemory  when no device of the context can hold `size_bytes`.
  Replicas(std::shared_ptr<ContextCore> context, std::size_t size_bytes);
  ~Replicas() override;

  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_bytes_; }

  /// Fills a new buffer from the host, in the native context of the first device that can hold it; blocks.
  void initialise(const void* host);

  /// Reads from the start of the buffer wherever it is valid; blocks.
  void read_now(std::span<std::byte> to);

  [[nodiscard]] std::mutex& gate() noexcept override { return gate_; }
  void* acquire(QueueCore& queue, Access access, WaitList& waits) override;
  void commit(QueueCore& queue, Access access, Event&& event) noexcept override;

 private:
  struct Replica {
    cl::Buffer memory;
    bool valid = false;
    Event last_write;
    std::vector<Event> reads;  ///< since the last write, the latest of each queue

    void add_read(Event&& event) noexcept;
    /// \throws Cancelled  when the last write is known to have failed; a write to all of the buffer heals it.
    void throw_if_lost() const;
  };

  [[nodiscard]] Replica* valid_replica() noexcept;
  /// \throws OutOfMemory  when the device could not use a memory object of this size.
  void check_fits(const Device& device) const;
  void allocate(Replica& replica, NativeContext& native, const Device& device, const void* host);
  void move_contents(Replica& from, Replica& to, std::size_t to_index);
  [[nodiscard]] std::size_t index_of(const Replica& replica) const noexcept;

  std::shared_ptr<ContextCore> context_;
  std::size_t size_bytes_;
  std::mutex gate_;
  std::vector<Replica> replicas_;  // by index of native context
};

}  // namespace anycl::detail
