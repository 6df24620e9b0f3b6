#include "handles.hpp"

#include <algorithm>

namespace anycl::test_layer {
namespace {

std::size_t index_of(HandleType type) { return static_cast<std::size_t>(type); }

}  // namespace

Handles& Handles::instance() {
  static Handles& handles = *new Handles;
  return handles;
}

void Handles::add(HandleType type, const void* handle, Entry by, std::uint64_t call) {
  const std::lock_guard lock(mutex_);
  Origin& origin = origins_[index_of(type)][handle];
  if (origin.references == 0) ++live_[index_of(type)];
  origin = {origin.references + 1, by, call};
}

bool Handles::change(HandleType type, const void* handle, std::int64_t references) {
  const std::lock_guard lock(mutex_);
  const auto found = origins_[index_of(type)].find(handle);
  if (found == origins_[index_of(type)].end()) return true;
  Origin& origin = found->second;
  if (origin.references == 0) return false;
  origin.references += references;
  if (origin.references == 0) --live_[index_of(type)];
  return true;
}

std::int64_t Handles::live(HandleType type) const {
  const std::lock_guard lock(mutex_);
  return live_[index_of(type)];
}

std::vector<cl_command_queue> Handles::live_queues() const {
  const std::lock_guard lock(mutex_);
  std::vector<cl_command_queue> queues;
  for (const auto& [handle, origin] : origins_[index_of(HandleType::queue)])
    if (origin.references > 0) queues.push_back(static_cast<cl_command_queue>(const_cast<void*>(handle)));
  return queues;
}

std::string Handles::leak_of(HandleType type) const {
  const std::lock_guard lock(mutex_);
  const std::int64_t live = live_[index_of(type)];
  if (live == 0) return {};
  std::int64_t references = 0;
  const Origin* first = nullptr;
  for (const auto& [handle, origin] : origins_[index_of(type)]) {
    if (origin.references == 0) continue;
    references += origin.references;
    if (first == nullptr || origin.call < first->call) first = &origin;
  }
  return std::to_string(live) + ' ' + kHandleTypeNames[index_of(type)] + " (" + std::to_string(references) +
         " references), the first from call " + std::to_string(first->call) + ", " + name_of(first->by);
}

}  // namespace anycl::test_layer
