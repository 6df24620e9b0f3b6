/// \file  What a launch uses besides plain values, seen from below the memory layer. Layer 2 (context).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "anycl/context/event.hpp"
#include "anycl/export.hpp"

namespace anycl {

/// read: contents stay; read_write: may change in part; write: all bytes are overwritten, so old ones need not be made
/// valid first.
enum class Access : std::uint8_t { read, read_write, write };

namespace detail {

class QueueCore;
class WaitList;

/// Something that work on a queue uses: a buffer now, an image later. A launch locks the gates of its distinct resources
/// in address order, acquires each, submits, commits each, and unlocks: work on one resource from any threads has one
/// order, and (x, y) beside (y, x) cannot deadlock.
class ANYCL_API Resource {
 public:
  Resource() = default;
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  virtual ~Resource();

  [[nodiscard]] virtual std::mutex& gate() noexcept = 0;

  /// Makes the contents valid in the queue's native context, adds what the work must wait for, and gives the native
  /// object. With the gate held. A throw leaves the resource as it was.
  virtual void* acquire(QueueCore& queue, Access access, WaitList& waits) = 0;

  /// Remembers `event` as the last use, and takes the handle over. With the gate held.
  virtual void commit(QueueCore& queue, Access access, Event&& event) noexcept = 0;
};

}  // namespace detail
}  // namespace anycl
