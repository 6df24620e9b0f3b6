#include "program/program_cache.hpp"

#include <chrono>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"
#include "program/cache_key.hpp"

namespace anycl {

KernelCacheStatistics kernel_cache_statistics(const Context& context) {
  return context.core()->attached<detail::ProgramCache>().statistics();
}

void flush_kernel_cache(Context& context) { context.core()->attached<detail::ProgramCache>().flush(); }

namespace detail {
namespace {

/// Argument information lets launches be checked; no driver keeps it without being asked to.
constexpr const char* kOptions = "-cl-kernel-arg-info";

}  // namespace

ProgramCache::ProgramCache(ContextCore& context)
    : lifetime_(context.lifetime()), disk_(DiskCache::from_environment()) {
  context.before_close([this]() noexcept { stop(); });
}

ProgramCache::~ProgramCache() { stop(); }

KernelCacheStatistics ProgramCache::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

ProgramCache::Program ProgramCache::get(std::shared_ptr<NativeContext> context, const Device& device,
                                        const Source& source, const std::string& expanded) {
  const CacheKey key = make_cache_key(expanded, kOptions, device);
  const std::string name = key.hex();
  std::promise<Program> promise;
  std::shared_future<Program> future;
  bool mine = false;
  {
    const std::lock_guard lock(mutex_);
    const auto [slot, fresh] = programs_.try_emplace(name);
    if (fresh) slot->second = promise.get_future().share();
    else ++statistics_.from_memory;
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
  auto found = disk_.load(key);
  if (found.damaged) log::warn("stored build of {} is damaged; building from source", source.name());
  Program program;
  const bool had_entry = found.entry.has_value();
  if (had_entry) program = BuiltProgram::from_entry(context, device, source, std::move(*found.entry), kOptions);
  const bool from_disk = program != nullptr;
  const bool bad_entry = found.damaged || (had_entry && !from_disk);
  if (bad_entry) disk_.remove(key);
  if (!from_disk) program = BuiltProgram::from_source(std::move(context), device, source, expanded, kOptions);
  const auto spent = std::chrono::steady_clock::now() - begin;

  const std::lock_guard lock(mutex_);
  ++(from_disk ? statistics_.from_disk : statistics_.built);
  statistics_.bad_entries += bad_entry ? 1 : 0;
  statistics_.build_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(spent).count());
  if (!from_disk && disk_.writable()) {
    to_store_.emplace(program.get(), key);
    program->awaits_launch.store(true, std::memory_order_relaxed);
  }
  return program;
}

void ProgramCache::launched(BuiltProgram& program, const Event& event) {
  StoreJob job;
  job.launched = event;
  {
    const std::lock_guard lock(mutex_);
    const auto found = to_store_.find(&program);
    if (found == to_store_.end()) return;
    job.key = std::move(found->second);
    to_store_.erase(found);
    job.program = programs_.at(job.key.hex()).get();
  }
  const std::lock_guard lock(store_mutex_);
  if (stopping_) return;
  jobs_.push_back(std::move(job));
  if (!store_thread_.joinable()) store_thread_ = std::thread([this] { run_store_thread(); });
  store_changed_.notify_all();
}

void ProgramCache::flush() {
  std::unique_lock lock(store_mutex_);
  ++flushing_;
  store_changed_.notify_all();
  store_changed_.wait(lock, [this] { return stopping_ || (jobs_.empty() && !storing_); });
  --flushing_;
}

void ProgramCache::stop() noexcept {
  if (lifetime_.abandoned()) {  // in a forked child there is no thread, and its lock may be held for ever
    if (store_thread_.joinable()) store_thread_.detach();
    return;
  }
  {
    const std::lock_guard lock(store_mutex_);
    stopping_ = true;
    jobs_.clear();
    store_changed_.notify_all();
  }
  if (store_thread_.joinable()) store_thread_.join();
}

void ProgramCache::run_store_thread() {
  std::unique_lock lock(store_mutex_);
  while (true) {
    store_changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    StoreJob job = std::move(jobs_.front());
    jobs_.pop_front();
    storing_ = true;
    lock.unlock();
    store(std::move(job));
    lock.lock();
    storing_ = false;
    store_changed_.notify_all();
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
  } catch (const Cancelled&) {
    // The context closes: what is not stored by then is skipped.
  } catch (const std::exception& error) {
    log::warn("kernel not stored in the cache: {}", error.what());
  }
}

/// Looks up now and then whether it should stop: a kernel may run for ever.
bool ProgramCache::wait_for_launch(const Event& event) {
  while (!event.wait_for(std::chrono::milliseconds(20))) {
    const std::lock_guard lock(store_mutex_);
    if (stopping_) return false;
  }
  return true;
}

/// False when it should stop before that.
bool ProgramCache::wait_until_unused(BuiltProgram& program) {
  if (!program.entry_blocks()) return true;
  constexpr auto kPause = std::chrono::milliseconds(200);
  std::unique_lock lock(store_mutex_);
  for (std::uint64_t uses = program.uses();;) {
    if (store_changed_.wait_for(lock, kPause, [this] { return stopping_ || flushing_ > 0; })) return !stopping_;
    const std::uint64_t now = program.uses();
    if (now == uses) return true;
    uses = now;
  }
}

}  // namespace detail
}  // namespace anycl
