#include "program/program_cache.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "base/logging.hpp"
#include "device/device_record.hpp"
#include "program/cache_key.hpp"
#include "program/child_build.hpp"

namespace anycl {

KernelCacheStatistics kernel_cache_statistics(const Context& context) {
  return context.core()->attached<detail::ProgramCache>().statistics();
}

void flush_kernel_cache(Context& context) { context.core()->attached<detail::ProgramCache>().flush(); }

namespace detail {
namespace {

/// More threads than a small machine has processors: a driver's compiler may be one that waits.
std::size_t most_threads() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 16); }

/// Null when the driver refuses it.
std::shared_ptr<BuiltProgram> from_entry(const BuildRequest& request, CacheEntry entry) {
  return BuiltProgram::from_entry(request.context, request.device, request.input.source(), std::move(entry),
                                  request.options);
}

}  // namespace

ProgramCache::Made::Made(std::shared_ptr<Lifetime> context_lifetime)
    : lifetime(std::move(context_lifetime)), disk(DiskCache::from_environment()), writer(disk, *lifetime) {}

ProgramCache::ProgramCache(ContextCore& context)
    : made_(std::make_shared<Made>(context.shared_lifetime())), threads_(made_->settings.limit, most_threads()) {
  context.before_close([this](auto until) noexcept { return stop(until); });
}

ProgramCache::~ProgramCache() {
  if (made_->lifetime->forked())
    threads_.forget();
  else
    static_cast<void>(stop(BuildJob::Clock::now()));  // the context has waited for what there was
}

bool ProgramCache::stop(BuildJob::Clock::time_point until) noexcept {
  const bool ended = threads_.stop(until);
  made_->writer.stop();
  return ended;
}

KernelCacheStatistics ProgramCache::statistics() const {
  const std::lock_guard lock(made_->mutex);
  KernelCacheStatistics statistics = made_->statistics;
  statistics.from_memory += known_.load(std::memory_order_relaxed);
  statistics.stored = made_->writer.stored();
  return statistics;
}

std::shared_ptr<BuildJob> ProgramCache::begin(const BuildRequest& request) {
  const CacheKey key =
      make_cache_key(request.input.source().name(), request.input.key_text(), request.options, request.device);
  // The key says what makes builds equal; a build itself belongs to one device of one native context.
  const auto place =
      fmt::format("{}/{}/{}", request.context->index(), fmt::ptr(request.device.record().device), key.hex());
  std::shared_ptr<BuildJob> job;
  {
    const std::lock_guard lock(made_->mutex);
    const auto [slot, fresh] = made_->jobs.try_emplace(place);
    if (!fresh) {
      ++made_->statistics.from_memory;
      return slot->second;
    }
    job = slot->second = std::make_shared<BuildJob>(
        fmt::format("build of {} for {}", request.input.label(), request.device.name()),
        [made = made_, request, key, place] {
          try {
            return load_or_build(*made, request, key);
          } catch (...) {
            const std::lock_guard forgetting(made->mutex);  // before anyone is told: who asks again then builds again
            made->jobs.erase(place);
            throw;
          }
        });
  }
  request.device.record().faults.one_thread_only ? threads_.run_here(job) : threads_.start(job);
  return job;
}

/// From source, here or in a process of its own.
std::shared_ptr<BuiltProgram> ProgramCache::build(Made& made, const BuildRequest& request, const CacheKey& key) {
  if (made.settings.in_child && !request.device.record().faults.one_thread_only) {
    std::string problem;
    auto entry = build_in_child(request, key, made.settings, problem);
    if (!entry) log::warn("building kernels in this process: {}", problem);
    auto program = entry ? from_entry(request, std::move(*entry)) : nullptr;
    if (program != nullptr) return program;
  }
  return BuiltProgram::from_source(request.context, request.device, request.input, request.options);
}

std::shared_ptr<BuiltProgram> ProgramCache::load_or_build(Made& made, const BuildRequest& request,
                                                          const CacheKey& key) {
  const auto begin = BuildJob::Clock::now();
  auto found = made.disk.load(key);
  if (found.damaged) log::warn("stored build of {} is damaged; building from source", request.input.label());
  std::shared_ptr<BuiltProgram> program;
  const bool had_entry = found.entry.has_value();
  const bool was_complete = had_entry && found.entry->complete;
  if (had_entry) program = from_entry(request, std::move(*found.entry));
  const bool from_disk = program != nullptr;
  const bool bad_entry = found.damaged || (had_entry && !from_disk);
  if (bad_entry) made.disk.remove(key);
  if (!from_disk) program = build(made, request, key);
  const auto spent = BuildJob::Clock::now() - begin;

  if (from_disk) program->note_stored_entry();
  // It is stored by a thread of ours.
  const bool may_store = made.disk.writable() && !request.device.record().faults.one_thread_only;
  if (may_store && !(from_disk && was_complete)) made.writer.expect(program, key);
  const std::lock_guard lock(made.mutex);
  ++(from_disk ? made.statistics.from_disk : made.statistics.built);
  made.statistics.bad_entries += bad_entry ? 1 : 0;
  made.statistics.build_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(spent).count());
  return program;
}

}  // namespace detail
}  // namespace anycl
