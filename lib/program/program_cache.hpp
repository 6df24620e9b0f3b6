/// \file  All programs of one context. Layer 3 (program).
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "anycl/program/kernel_cache.hpp"
#include "context/context_core.hpp"
#include "program/built_program.hpp"
#include "program/disk_cache.hpp"

namespace anycl::detail {

/// Finds or makes the build of a source for a device: in memory, on disk, from source. However many threads ask for one
/// build at once, one of them makes it and all get its result or its error; a failed build is tried again when next
/// asked for. Any thread.
class ProgramCache {
 public:
  explicit ProgramCache(ContextCore& context);
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  [[nodiscard]] std::shared_ptr<BuiltProgram> get(std::shared_ptr<NativeContext> context, const Device& device,
                                                  const Source& source, const std::string& expanded);

  /// To be called once per program, with its first launch: its binary is complete when that is done.
  void launched(BuiltProgram& program, const Event& event);

  /// Blocks until all launched programs are stored or cannot be.
  void flush();

  /// Stops storing: what has not begun is skipped.
  void stop() noexcept;

  [[nodiscard]] KernelCacheStatistics statistics() const;

 private:
  using Program = std::shared_ptr<BuiltProgram>;

  struct StoreJob {
    Program program;
    CacheKey key;
    Event launched;
  };

  /// The thread that stores, and what it shares with callers.
  struct Storing {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<StoreJob> jobs;
    bool busy = false;
    int flushing = 0;  ///< callers that want all stored now
    bool stopping = false;
    std::thread thread;
  };

  [[nodiscard]] Program load_or_build(std::shared_ptr<NativeContext> context, const Device& device,
                                      const Source& source, const std::string& expanded, const CacheKey& key);
  void run_store_thread();
  void store(StoreJob job);
  [[nodiscard]] bool wait_for_launch(const Event& event);
  [[nodiscard]] bool wait_until_unused(BuiltProgram& program);

  const Lifetime& lifetime_;
  DiskCache disk_;

  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_future<Program>> programs_;
  std::unordered_map<const BuiltProgram*, StoreJob> to_store_;  // built from source, not launched yet
  KernelCacheStatistics statistics_;

  std::unique_ptr<Storing> storing_ = std::make_unique<Storing>();
};

}  // namespace anycl::detail
