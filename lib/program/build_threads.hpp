/// \file  Threads that build programs. Layer 3 (program).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace anycl::detail {

class BuiltProgram;

/// One build, begun or not. What is in it belongs to its BuildThreads.
class BuildJob {
 public:
  using Program = std::shared_ptr<BuiltProgram>;
  using Clock = std::chrono::steady_clock;

  /// \param name  "build of a.cl for DEVICE"
  BuildJob(std::string name, std::function<Program()> build) : name_(std::move(name)), build_(std::move(build)) {}

 private:
  friend class BuildThreads;
  enum class State { waiting, running, done };

  void finish(Program program, std::exception_ptr error);

  std::string name_;
  std::function<Program()> build_;
  State state_ = State::waiting;
  bool overdue_ = false;  ///< it ran into its limit
  Clock::time_point begun_{};
  Program program_;
  std::exception_ptr error_;
};

/// Runs builds on a few threads, started when needed. A compiler that does not come back costs a thread and nothing else:
/// those who wait for it are told at its limit, another thread takes its place, and the process can end. Any thread.
class BuildThreads {
 public:
  using Clock = BuildJob::Clock;

  /// \param most  threads at work at once, those that are stuck aside
  BuildThreads(std::chrono::nanoseconds limit, std::size_t most);
  /// After `stop`, or in a forked child.
  ~BuildThreads() = default;
  BuildThreads(const BuildThreads&) = delete;
  BuildThreads& operator=(const BuildThreads&) = delete;

  /// \throws Cancelled  after `stop`.
  void start(const std::shared_ptr<BuildJob>& job);

  /// Runs it on this thread, for drivers that stand no other, without a limit.
  void run_here(const std::shared_ptr<BuildJob>& job);

  /// Blocks until the job is done, and gives its program or throws its error.
  /// \throws Timeout    when it runs longer than the limit, each time.
  /// \throws Cancelled  when `stop` came first.
  [[nodiscard]] BuildJob::Program get(BuildJob& job);

  /// Blocks until `get` would not; false when `until` comes first.
  [[nodiscard]] bool wait_until(BuildJob& job, Clock::time_point until);

  /// Cancels what is not begun and waits for the rest. False when that has not ended by `until`: its threads are then left
  /// to the system.
  [[nodiscard]] bool stop(Clock::time_point until) noexcept;

  /// For a forked child, which has none of the threads, but their locks for ever.
  void forget() noexcept { static_cast<void>(new std::shared_ptr<Shared>(std::move(shared_))); }

 private:
  /// Outlives this object where a thread is stuck.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::chrono::nanoseconds limit{};
    std::size_t most = 0;
    std::size_t stuck = 0;  ///< threads in overdue jobs
    std::deque<std::shared_ptr<BuildJob>> waiting;
    std::vector<std::shared_ptr<BuildJob>> running;
    std::vector<std::thread> threads;
    std::size_t idle = 0;
    bool stopping = false;
  };
  using Lock = std::unique_lock<std::mutex>;

  static void work(const std::shared_ptr<Shared>& shared);
  static void run(Shared& shared, Lock& lock, const std::shared_ptr<BuildJob>& job);
  static void add_threads(const std::shared_ptr<Shared>& shared) noexcept;
  static void note_overdue(const std::shared_ptr<Shared>& shared);
  [[nodiscard]] static Clock::time_point next_limit(const Shared& shared);
  void wait(Lock& lock, BuildJob& job, Clock::time_point until);

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace anycl::detail
