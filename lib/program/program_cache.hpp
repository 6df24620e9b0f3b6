/// \file  All programs of one context. Layer 3 (program).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "anycl/program/kernel_cache.hpp"
#include "base/recent_map.hpp"
#include "context/context_core.hpp"
#include "program/build_request.hpp"
#include "program/build_settings.hpp"
#include "program/build_threads.hpp"
#include "program/built_program.hpp"
#include "program/disk_cache.hpp"
#include "program/entry_writer.hpp"

namespace anycl::detail {

/// Finds or makes the build of a source for a device: in memory, on disk, from source. However many threads ask for one
/// build at once, it is made once, on a thread of the library, and all get its result or its error; a failed build is tried
/// again when next asked for. Keeps the programs that were asked for last; others live for as long as a kernel holds them.
/// Any thread.
class ProgramCache {
 public:
  explicit ProgramCache(ContextCore& context);
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// Begins the build, if nobody has, and does not wait for it.
  [[nodiscard]] std::shared_ptr<BuildJob> begin(const BuildRequest& request);

  /// Blocks until it has ended. \throws  what ended it; Timeout
  [[nodiscard]] std::shared_ptr<BuiltProgram> get(const BuildRequest& request) { return threads_.get(*begin(request)); }
  [[nodiscard]] std::shared_ptr<BuiltProgram> get(BuildJob& job) { return threads_.get(job); }
  [[nodiscard]] bool wait_until(BuildJob& job, BuildJob::Clock::time_point until) {
    return threads_.wait_until(job, until);
  }

  /// To be called once per program, with its first launch: its binary is complete when that is done.
  void launched(BuiltProgram& program, const Event& event) { made_->writer.launched(program, event); }

  /// Blocks until all programs are stored or cannot be.
  void flush() { made_->writer.flush(); }

  /// A kernel was asked for that the context knows.
  void note_known() noexcept { known_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] KernelCacheStatistics statistics() const;

 private:
  static constexpr std::size_t kMost = 512;

  /// What builds share; one that never ends keeps it.
  struct Made {
    explicit Made(std::shared_ptr<Lifetime> context_lifetime);

    std::shared_ptr<Lifetime> lifetime;
    BuildSettings settings = BuildSettings::from_environment();
    DiskCache disk;
    EntryWriter writer;
    std::mutex mutex;
    RecentMap<std::string, std::shared_ptr<BuildJob>> jobs;  ///< by build and device
    KernelCacheStatistics statistics;
  };

  [[nodiscard]] static std::shared_ptr<BuiltProgram> load_or_build(Made& made, const BuildRequest& request,
                                                                   const CacheKey& key);
  struct Stored {
    std::shared_ptr<BuiltProgram> program;  ///< null: there is none that can be used
    bool complete = false;
    bool bad = false;  ///< one was there
  };
  [[nodiscard]] static Stored load(const DiskCache& disk, const BuildRequest& request, const CacheKey& key);
  [[nodiscard]] static std::shared_ptr<BuiltProgram> build(Made& made, const BuildRequest& request,
                                                           const CacheKey& key);
  [[nodiscard]] bool stop(BuildJob::Clock::time_point until) noexcept;

  std::atomic<std::uint64_t> known_{0};
  std::shared_ptr<Made> made_;
  BuildThreads threads_;
};

}  // namespace anycl::detail
