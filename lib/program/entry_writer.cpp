#include "program/entry_writer.hpp"

#include <chrono>
#include <utility>

#include "base/logging.hpp"
#include "context/queue_core.hpp"

namespace anycl::detail {

EntryWriter::~EntryWriter() {
  // In a forked child there is no thread, but its lock and its wait are there for ever: they cannot be destroyed.
  if (lifetime_.forked()) static_cast<void>(storing_.release());
}

void EntryWriter::expect(const std::shared_ptr<BuiltProgram>& program, const CacheKey& key) {
  const std::lock_guard lock(storing_->mutex);
  storing_->expected.add(program.get(), Job{program, key, Event()});
  program->awaits_launch.store(true, std::memory_order_relaxed);
  if (storing_->expected.size() <= kMostExpected) return;
  if (auto oldest = storing_->expected.take_oldest()) add(*std::move(oldest));
}

void EntryWriter::launched(BuiltProgram& program, const Event& event) {
  const std::lock_guard lock(storing_->mutex);
  Job* const found = storing_->expected.find(&program);
  if (found == nullptr) return;
  Job job = std::move(*found);
  storing_->expected.erase(&program);
  job.launch = event;
  add(std::move(job));
}

/// With the lock held.
void EntryWriter::add(Job job) {
  if (storing_->stopping) return;
  storing_->jobs.push_back(std::move(job));
  if (!storing_->thread.joinable()) storing_->thread = std::thread([this] { run(); });
  storing_->changed.notify_all();
}

void EntryWriter::flush() {
  std::unique_lock lock(storing_->mutex);
  // They are still expected: a launch makes their binaries complete.
  for (const auto& [program, job] : storing_->expected)
    if (!job.program->entry_is_stored()) add(job);
  ++storing_->flushing;
  storing_->changed.notify_all();
  storing_->changed.wait(lock, [this] { return storing_->stopping || (storing_->jobs.empty() && !storing_->busy); });
  --storing_->flushing;
}

void EntryWriter::stop() noexcept {
  if (lifetime_.abandoned()) return;
  Expected dropped;  // without the lock: programs call drivers as they go
  {
    const std::lock_guard lock(storing_->mutex);
    storing_->stopping = true;
    storing_->jobs.clear();
    std::swap(dropped, storing_->expected);
    storing_->changed.notify_all();
  }
  if (storing_->thread.joinable()) storing_->thread.join();
}

void EntryWriter::run() {
  std::unique_lock lock(storing_->mutex);
  while (true) {
    storing_->changed.wait(lock, [this] { return storing_->stopping || !storing_->jobs.empty(); });
    if (storing_->stopping) return;
    Job job = std::move(storing_->jobs.front());
    storing_->jobs.pop_front();
    storing_->busy = true;
    lock.unlock();
    store(std::move(job));
    lock.lock();
    storing_->busy = false;
    storing_->changed.notify_all();
  }
}

/// Storing is a favour to later runs: whatever goes wrong is logged and forgotten.
void EntryWriter::store(Job job) {
  try {
    const bool was_launched = job.launch.state() != nullptr;
    if (was_launched && !wait_for_launch(job.launch)) return;
    if (!wait_until_unused(*job.program)) return;
    auto entry = job.program->make_entry();
    if (!entry) return;
    entry->complete = was_launched;
    if (!disk_.store(job.key, *entry)) return;
    job.program->note_stored_entry();
    stored_.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::exception& error) {
    log::warn("kernel not stored in the cache: {}", error.what());
  }
}

/// False when it should stop before that, or when the launch failed. Asks and never waits: a kernel may run for ever, and
/// to wait for work that fails is to be told of it, which is for the caller alone.
bool EntryWriter::wait_for_launch(const Event& event) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  EventState& state = *event.state();
  while (true) {
    static_cast<void>(
        state.queue().try_flush_through(state.sequence()));  // one that fails may have failed for the moment
    if (state.status() != EventStatus::submitted) return state.status() == EventStatus::complete;
    std::unique_lock lock(storing_->mutex);
    if (storing_->changed.wait_for(lock, kPause, [this] { return storing_->stopping; })) return false;
  }
}

/// False when it should stop before that.
bool EntryWriter::wait_until_unused(BuiltProgram& program) {
  if (!program.entry_blocks()) return true;
  constexpr auto kPause = std::chrono::milliseconds(200);
  std::unique_lock lock(storing_->mutex);
  for (std::uint64_t uses = program.uses();;) {
    const auto called = [this] { return storing_->stopping || storing_->flushing > 0; };
    if (storing_->changed.wait_for(lock, kPause, called)) return !storing_->stopping;
    const std::uint64_t now = program.uses();
    if (now == uses) return true;
    uses = now;
  }
}

}  // namespace anycl::detail
