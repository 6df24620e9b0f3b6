#include "program/kernel_table.hpp"

#include <cstring>
#include <functional>
#include <utility>

namespace anycl::detail {

/// A kernel does not keep its context alive, since the context keeps the table: what a Kernel holds does.
std::shared_ptr<KernelCore> KernelTable::find_or_make(const std::shared_ptr<ContextCore>& context, BuildInput input,
                                                      std::string name) {
  using Both = std::pair<std::shared_ptr<ContextCore>, std::shared_ptr<KernelCore>>;
  auto [kernel, known] = context->attached<KernelTable>().get(*context, std::move(input), std::move(name));
  if (known) context->attached<ProgramCache>().note_known();
  KernelCore* const core = kernel.get();
  return {std::make_shared<const Both>(context, std::move(kernel)), core};
}

std::size_t KernelTable::Hash::operator()(const Key& key) const noexcept {
  std::size_t hash = 0;
  std::memcpy(&hash, key.input.digest().data(), sizeof hash);  // as good as random
  return hash ^ std::hash<std::string>()(key.name) ^ std::hash<std::string>()(key.input.head());
}

KernelTable::Found KernelTable::get(ContextCore& context, BuildInput input, std::string name) {
  std::shared_ptr<KernelCore> dropped;  // without the lock: it may call the driver as it goes
  const std::lock_guard lock(mutex_);
  Key key{std::move(input), std::move(name)};
  if (const auto found = kernels_.find(key); found != kernels_.end()) {
    by_use_.splice(by_use_.begin(), by_use_, found->second.place);
    return {found->second.kernel, true};
  }
  auto kernel = std::make_shared<KernelCore>(context, key.input, key.name);
  const auto entry = kernels_.emplace(std::move(key), Entry{kernel, by_use_.end()}).first;
  by_use_.push_front(&entry->first);
  entry->second.place = by_use_.begin();
  if (kernels_.size() > kMost) dropped = drop_longest_unused();
  return {std::move(kernel), false};
}

/// With the lock held.
std::shared_ptr<KernelCore> KernelTable::drop_longest_unused() {
  const auto last = kernels_.find(*by_use_.back());
  by_use_.pop_back();
  auto kernel = std::move(last->second.kernel);
  kernels_.erase(last);
  return kernel;
}

}  // namespace anycl::detail
