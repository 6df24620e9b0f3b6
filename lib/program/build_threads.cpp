#include "program/build_threads.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "program/built_program.hpp"

namespace anycl::detail {

void BuildJob::finish(Program program, std::exception_ptr error) {
  program_ = std::move(program);
  error_ = std::move(error);
  build_ = nullptr;
  state_ = State::done;
}

BuildThreads::BuildThreads(std::chrono::nanoseconds limit, std::size_t most) {
  shared_->limit = limit;
  shared_->most = most;
}

void BuildThreads::start(const std::shared_ptr<BuildJob>& job) {
  Lock lock(shared_->mutex);
  if (shared_->stopping) throw Cancelled(fmt::format("{}: its context is closed", job->name_));
  shared_->waiting.push_back(job);
  add_threads(shared_);
  shared_->changed.notify_all();
  if (!shared_->threads.empty()) return;
  shared_->waiting.pop_back();  // the system has no thread for us
  run(*shared_, lock, job);
}

void BuildThreads::run_here(const std::shared_ptr<BuildJob>& job) {
  Lock lock(shared_->mutex);
  run(*shared_, lock, job);
}

/// With the lock held, which is let go of for as long as the build takes.
void BuildThreads::run(Shared& shared, Lock& lock, const std::shared_ptr<BuildJob>& job) {
  job->state_ = BuildJob::State::running;
  job->begun_ = Clock::now();
  auto build = std::move(job->build_);
  lock.unlock();
  BuildJob::Program program;
  std::exception_ptr error;
  try {
    program = build();
  } catch (...) {
    error = std::current_exception();
  }
  build = nullptr;  // what it holds may call the driver as it goes
  lock.lock();
  job->finish(std::move(program), std::move(error));
  shared.changed.notify_all();
}

void BuildThreads::work(const std::shared_ptr<Shared>& shared) {
  Lock lock(shared->mutex);
  while (true) {
    shared->changed.wait(lock, [&] { return shared->stopping || !shared->waiting.empty(); });
    --shared->idle;
    if (shared->waiting.empty()) return;
    const auto job = std::move(shared->waiting.front());
    shared->waiting.pop_front();
    shared->running.push_back(job);
    shared->changed.notify_all();  // its limit is one to wait for
    run(*shared, lock, job);
    std::erase(shared->running, job);
    if (job->overdue_) --shared->stuck;
    ++shared->idle;
  }
}

/// As many as there are jobs for, if the system has them. With the lock held.
void BuildThreads::add_threads(const std::shared_ptr<Shared>& shared) noexcept {
  const std::size_t busy = shared->running.size() - shared->stuck;
  try {
    while (shared->idle < shared->waiting.size() && busy + shared->idle < shared->most) {
      shared->threads.emplace_back([shared] { work(shared); });
      ++shared->idle;  // it begins so
    }
  } catch (const std::exception&) {  // the jobs wait for the threads there are
  }
}

/// With the lock held.
void BuildThreads::note_overdue(const std::shared_ptr<Shared>& shared) {
  const auto now = Clock::now();
  for (const auto& job : shared->running) {
    if (job->overdue_ || now < job->begun_ + shared->limit) continue;
    job->overdue_ = true;
    ++shared->stuck;
  }
  add_threads(shared);
}

/// When the next job runs into its limit. With the lock held.
BuildThreads::Clock::time_point BuildThreads::next_limit(const Shared& shared) {
  auto next = Clock::time_point::max();
  for (const auto& job : shared.running)
    if (!job->overdue_) next = std::min(next, job->begun_ + shared.limit);
  return next;
}

/// Until the job is done or overdue, or `until`.
void BuildThreads::wait(Lock& lock, BuildJob& job, Clock::time_point until) {
  while (job.state_ != BuildJob::State::done) {
    note_overdue(shared_);
    const auto now = Clock::now();
    if (job.overdue_ || now >= until) return;
    // Not for ever, which overflows in some implementations.
    shared_->changed.wait_until(lock, std::min({until, next_limit(*shared_), now + std::chrono::hours(1)}));
  }
}

BuildJob::Program BuildThreads::get(BuildJob& job) {
  Lock lock(shared_->mutex);
  wait(lock, job, Clock::time_point::max());
  if (job.state_ != BuildJob::State::done)
    throw Timeout(fmt::format("{} has not ended within {} s; ANYCL_BUILD_LIMIT sets that limit", job.name_,
                              std::chrono::duration_cast<std::chrono::seconds>(shared_->limit).count()));
  if (job.error_) std::rethrow_exception(job.error_);
  return job.program_;
}

bool BuildThreads::wait_until(BuildJob& job, Clock::time_point until) {
  Lock lock(shared_->mutex);
  wait(lock, job, until);
  return job.state_ == BuildJob::State::done || job.overdue_;
}

bool BuildThreads::stop(Clock::time_point until) noexcept {
  Lock lock(shared_->mutex);
  shared_->stopping = true;
  for (const auto& job : shared_->waiting)
    job->finish(nullptr, std::make_exception_ptr(Cancelled(fmt::format("{}: its context was closed", job->name_))));
  shared_->waiting.clear();
  shared_->changed.notify_all();
  const bool ended = shared_->changed.wait_until(lock, until, [this] { return shared_->running.empty(); });
  std::vector<std::thread> threads;
  threads.swap(shared_->threads);
  lock.unlock();
  for (std::thread& thread : threads) ended ? thread.join() : thread.detach();
  return ended;
}

}  // namespace anycl::detail
