#include "program/program_cache.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
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

bool have_equal_kernels(BuiltProgram& a, BuiltProgram& b) {
  try {
    return a.facts() == b.facts();
  } catch (const Error& error) {
    log::debug("kernels of {} cannot be compared: {}", a.source_name(), error.what());
    return false;
  }
}

/// Whether the cache would give other kernels than the source; says so.
bool differs(BuiltProgram& stored, BuiltProgram& built, const BuildRequest& request) {
  if (have_equal_kernels(stored, built)) {
    log::debug("stored build of {} for {} has the kernels of its source", request.input.label(), request.device.name());
    return false;
  }
  log::warn("stored build of {} for {} has other kernels than its source; it is replaced", request.input.label(),
            request.device.name());
  return true;
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
  std::optional<std::shared_ptr<BuildJob>> dropped;  // without the lock: it may call the driver as it goes
  {
    const std::lock_guard lock(made_->mutex);
    if (const auto* known = made_->jobs.find(place)) {
      ++made_->statistics.from_memory;
      return *known;
    }
    job = std::make_shared<BuildJob>(
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
    made_->jobs.add(place, job);
    // Whoever builds or waits holds the job: two builds of one program at once would be the result of letting that go.
    const auto unused = [](const auto& held) { return held.use_count() == 1; };
    if (made_->jobs.size() > kMost) dropped = made_->jobs.take_oldest(unused);
  }
  request.device.record().faults.one_thread_only ? threads_.run_here(job) : threads_.start(job);
  return job;
}

/// From source, here or in a process of its own.
std::shared_ptr<BuiltProgram> ProgramCache::build(Made& made, const BuildRequest& request, const CacheKey& key) {
  if (made.settings.use_child(request.input.options().place()) && !request.device.record().faults.one_thread_only) {
    std::string problem;
    auto entry = build_in_child(request, key, made.settings, problem);
    if (!entry) log::warn("building kernels in this process: {}", problem);
    auto program = entry ? from_entry(request, std::move(*entry)) : nullptr;
    if (program != nullptr) return program;
  }
  return BuiltProgram::from_source(request.context, request.device, request.input, request.options);
}

ProgramCache::Stored ProgramCache::load(const DiskCache& disk, const BuildRequest& request, const CacheKey& key) {
  auto found = disk.load(key);
  if (found.damaged)
    log::warn("stored build of {} is damaged; {}", request.input.label(),
              found.entry ? "taking the system's" : "building from source");
  if (!found.entry) return {nullptr, false, found.damaged};
  const bool complete = found.entry->complete;
  auto program = from_entry(request, std::move(*found.entry));
  const bool bad = found.damaged || program == nullptr;
  return {std::move(program), complete, bad};
}

std::shared_ptr<BuiltProgram> ProgramCache::load_or_build(Made& made, const BuildRequest& request,
                                                          const CacheKey& key) {
  const auto begin = BuildJob::Clock::now();
  Stored stored = load(made.disk, request, key);
  std::shared_ptr<BuiltProgram> program = stored.program;
  if (program == nullptr || made.disk.verifies()) program = build(made, request, key);
  if (stored.program != nullptr && stored.program != program) {
    stored.bad = differs(*stored.program, *program, request);
    stored.program = nullptr;
  }
  if (stored.bad) made.disk.remove(key);
  const auto spent = BuildJob::Clock::now() - begin;

  const bool from_disk = stored.program != nullptr;
  if (from_disk) program->note_stored_entry();
  // It is stored by a thread of ours.
  const bool may_store = made.disk.writable() && !request.device.record().faults.one_thread_only;
  if (may_store && !(from_disk && stored.complete)) made.writer.expect(program, key);
  const std::lock_guard lock(made.mutex);
  ++(from_disk ? made.statistics.from_disk : made.statistics.built);
  made.statistics.bad_entries += stored.bad ? 1 : 0;
  made.statistics.build_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(spent).count());
  return program;
}

}  // namespace detail
}  // namespace anycl
