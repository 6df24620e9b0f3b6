#include "program/program_cache.hpp"

#include <chrono>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"
#include "context/queue_core.hpp"
#include "device/device_record.hpp"
#include "program/cache_key.hpp"

namespace anycl {

KernelCacheStatistics kernel_cache_statistics(const Context& context) {
  return context.core()->attached<detail::ProgramCache>().statistics();
}

void flush_kernel_cache(Context& context) { context.core()->attached<detail::ProgramCache>().flush(); }

namespace detail {
namespace {

/// Argument information lets launches be checked; no driver keeps it without being asked to. Any program may get a large
/// buffer.
std::string options_for(const Device& device) {
  std::string options = "-cl-kernel-arg-info";
  const DriverFaults& faults = device.record().faults;
  if (faults.large_buffer_flag) options.append(" ").append(faults.large_buffer_option);
  return options;
}

}  // namespace

ProgramCache::ProgramCache(ContextCore& context) : lifetime_(context.lifetime()), disk_(DiskCache::from_environment()) {
  context.before_close([this]() noexcept { stop(); });
}

ProgramCache::~ProgramCache() {
  stop();
  // In a forked child there is no thread, but its lock and its wait are there for ever: they cannot be destroyed.
  if (lifetime_.forked()) static_cast<void>(storing_.release());
}

KernelCacheStatistics ProgramCache::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

ProgramCache::Program ProgramCache::get(std::shared_ptr<NativeContext> context, const Device& device,
                                        const Source& source, const std::string& expanded) {
  const CacheKey key = make_cache_key(expanded, options_for(device), device);
  // The key says what makes builds equal; a build itself belongs to one device of one native context.
  const std::string name = fmt::format("{}/{}/{}", context->index(), fmt::ptr(device.record().device), key.hex());
  std::promise<Program> promise;
  std::shared_future<Program> future;
  bool mine = false;
  {
    const std::lock_guard lock(mutex_);
    const auto [slot, fresh] = programs_.try_emplace(name);
    if (fresh)
      slot->second = promise.get_future().share();
    else
      ++statistics_.from_memory;
    future = slot->second;
    mine = fresh;
  }
  if (!mine) return future.get();
  try {
    promise.set_value(load_or_build(std::move(context), device, source, expanded, key));
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(name);
  }
  return future.get();
}

ProgramCache::Program ProgramCache::load_or_build(std::shared_ptr<NativeContext> context, const Device& device,
                                                  const Source& source, const std::string& expanded,
                                                  const CacheKey& key) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string options = options_for(device);
  auto found = disk_.load(key);
  if (found.damaged) log::warn("stored build of {} is damaged; building from source", source.name());
  Program program;
  const bool had_entry = found.entry.has_value();
  if (had_entry) program = BuiltProgram::from_entry(context, device, source, std::move(*found.entry), options);
  const bool from_disk = program != nullptr;
  const bool bad_entry = found.damaged || (had_entry && !from_disk);
  if (bad_entry) disk_.remove(key);
  if (!from_disk) program = BuiltProgram::from_source(std::move(context), device, source, expanded, options);
  const auto spent = std::chrono::steady_clock::now() - begin;

  const std::lock_guard lock(mutex_);
  ++(from_disk ? statistics_.from_disk : statistics_.built);
  statistics_.bad_entries += bad_entry ? 1 : 0;
  statistics_.build_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(spent).count());
  if (!from_disk && disk_.writable() && !device.record().faults.one_thread_only) {  // it is stored by a thread of ours
    to_store_.emplace(program.get(), StoreJob{program, key, Event()});
    program->awaits_launch.store(true, std::memory_order_relaxed);
  }
  return program;
}

void ProgramCache::launched(BuiltProgram& program, const Event& event) {
  StoreJob job;
  {
    const std::lock_guard lock(mutex_);
    const auto found = to_store_.find(&program);
    if (found == to_store_.end()) return;
    job = std::move(found->second);
    to_store_.erase(found);
  }
  job.launched = event;
  const std::lock_guard lock(storing_->mutex);
  if (storing_->stopping) return;
  storing_->jobs.push_back(std::move(job));
  if (!storing_->thread.joinable()) storing_->thread = std::thread([this] { run_store_thread(); });
  storing_->changed.notify_all();
}

void ProgramCache::flush() {
  std::unique_lock lock(storing_->mutex);
  ++storing_->flushing;
  storing_->changed.notify_all();
  storing_->changed.wait(lock, [this] { return storing_->stopping || (storing_->jobs.empty() && !storing_->busy); });
  --storing_->flushing;
}

void ProgramCache::stop() noexcept {
  if (lifetime_.abandoned()) return;
  {
    const std::lock_guard lock(storing_->mutex);
    storing_->stopping = true;
    storing_->jobs.clear();
    storing_->changed.notify_all();
  }
  if (storing_->thread.joinable()) storing_->thread.join();
}

void ProgramCache::run_store_thread() {
  std::unique_lock lock(storing_->mutex);
  while (true) {
    storing_->changed.wait(lock, [this] { return storing_->stopping || !storing_->jobs.empty(); });
    if (storing_->stopping) return;
    StoreJob job = std::move(storing_->jobs.front());
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
void ProgramCache::store(StoreJob job) {
  try {
    if (!wait_for_launch(job.launched) || !wait_until_unused(*job.program)) return;
    const auto entry = job.program->make_entry();
    if (!entry || !disk_.store(job.key, *entry)) return;
    const std::lock_guard lock(mutex_);
    ++statistics_.stored;
  } catch (const std::exception& error) {
    log::warn("kernel not stored in the cache: {}", error.what());
  }
}

/// False when it should stop before that, or when the launch failed. Asks and never waits: a kernel may run for ever, and
/// to wait for work that fails is to be told of it, which is for the caller alone.
bool ProgramCache::wait_for_launch(const Event& event) {
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
bool ProgramCache::wait_until_unused(BuiltProgram& program) {
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

}  // namespace detail
}  // namespace anycl
