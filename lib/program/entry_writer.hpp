/// \file  Storing builds on a thread. Layer 3 (program).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "anycl/context/event.hpp"
#include "base/recent_map.hpp"
#include "context/lifetime.hpp"
#include "program/built_program.hpp"
#include "program/disk_cache.hpp"

namespace anycl::detail {

/// Stores programs on disk after their first launch, when their binaries are complete, and off every caller's path: a driver
/// may take a second to hand a binary out. Any thread.
class EntryWriter {
 public:
  EntryWriter(const DiskCache& disk, const Lifetime& lifetime) : lifetime_(lifetime), disk_(disk) {}
  /// After `stop`, or in a forked child.
  ~EntryWriter();
  EntryWriter(const EntryWriter&) = delete;
  EntryWriter& operator=(const EntryWriter&) = delete;

  /// A program to be stored when it is launched. Of many that are not, those expected for longest are stored as they are.
  void expect(const std::shared_ptr<BuiltProgram>& program, const CacheKey& key);

  /// To be called once per program, with its first launch.
  void launched(BuiltProgram& program, const Event& event);

  /// Blocks until all programs are stored or cannot be; those that were not launched too, as complete as they are.
  void flush();

  /// Skips what has not begun.
  void stop() noexcept;

  /// Programs stored so far.
  [[nodiscard]] std::uint64_t stored() const noexcept { return stored_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kMostExpected = 512;

  struct Job {
    std::shared_ptr<BuiltProgram> program;
    CacheKey key;
    Event launch;  ///< without a state: it was not launched
  };

  using Expected = RecentMap<const BuiltProgram*, Job>;

  /// The thread, and what it shares with callers.
  struct Storing {
    std::mutex mutex;
    std::condition_variable changed;
    Expected expected;
    std::deque<Job> jobs;
    bool busy = false;
    int flushing = 0;  ///< callers that want all stored now
    bool stopping = false;
    std::thread thread;
  };

  void add(Job job);
  void run();
  void store(Job job);
  [[nodiscard]] bool wait_for_launch(const Event& event);
  [[nodiscard]] bool wait_until_unused(BuiltProgram& program);

  const Lifetime& lifetime_;
  const DiskCache& disk_;
  std::atomic<std::uint64_t> stored_{0};
  std::unique_ptr<Storing> storing_ = std::make_unique<Storing>();
};

}  // namespace anycl::detail
