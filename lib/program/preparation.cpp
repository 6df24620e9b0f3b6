#include "anycl/program/preparation.hpp"

#include <algorithm>

#include "program/buildable.hpp"
#include "program/program_cache.hpp"

namespace anycl {
namespace {

using Clock = detail::BuildJob::Clock;

/// Blocks until `until` at most; true when the build has ended, well or not.
bool ended(const Preparation::Part& part, Clock::time_point until) {
  if (part.job == nullptr) return true;
  detail::ContextCore& context = part.what->context();
  context.lifetime().check_not_forked();
  return context.attached<detail::ProgramCache>().wait_until(*part.job, until);
}

}  // namespace

void Preparation::wait() const {
  // All of them first: one that fails ends no other.
  for (const Part& part : parts_) static_cast<void>(ended(part, Clock::time_point::max()));
  for (const Part& part : parts_) part.what->take(part.device_index, part.job);
}

bool Preparation::wait_for(std::chrono::nanoseconds limit) const {
  const auto now = Clock::now();
  const auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::time_point::max() - now);
  const auto until = now + std::min(limit, most);
  if (!std::all_of(parts_.begin(), parts_.end(), [until](const Part& part) { return ended(part, until); }))
    return false;
  wait();
  return true;
}

bool Preparation::is_done() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return ended(part, Clock::time_point::min()); });
}

Preparation detail::prepare(const std::shared_ptr<Buildable>& what, std::span<const Device> devices) {
  std::vector<std::size_t> indices;
  for (const Device& device : devices) indices.push_back(what->context().index_of(device));  // before any is begun
  std::vector<Preparation::Part> parts;
  for (const std::size_t index : indices) parts.push_back({what, index, what->begin(index)});
  return Preparation(std::move(parts));
}

}  // namespace anycl
