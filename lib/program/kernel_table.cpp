#include "program/kernel_table.hpp"

#include <cstring>
#include <functional>
#include <optional>
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
  std::optional<std::shared_ptr<KernelCore>> dropped;  // without the lock: it may call the driver as it goes
  const std::lock_guard lock(mutex_);
  Key key{std::move(input), std::move(name)};
  if (const auto* known = kernels_.find(key)) return {*known, true};
  auto kernel = std::make_shared<KernelCore>(context, key.input, key.name);
  kernels_.add(std::move(key), kernel);
  if (kernels_.size() > kMost) dropped = kernels_.take_oldest();
  return {std::move(kernel), false};
}

}  // namespace anycl::detail
