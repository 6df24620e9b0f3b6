/// \file  Kernels that a context knows. Layer 3 (program).
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "program/kernel_core.hpp"

namespace anycl::detail {

/// Gives one KernelCore for kernels that are equal by value: source, options and name. Keeps those that were asked for last;
/// others live on for as long as a Kernel holds them. Any thread.
class KernelTable {
 public:
  /// The table of `context`; `core()` of what it gives keeps that alive.
  [[nodiscard]] static std::shared_ptr<KernelCore> find_or_make(const std::shared_ptr<ContextCore>& context,
                                                                BuildInput input, std::string name);

  explicit KernelTable(ContextCore&) {}

 private:
  static constexpr std::size_t kMost = 512;

  struct Key {
    BuildInput input;
    std::string name;

    friend bool operator==(const Key& a, const Key& b) { return a.input == b.input && a.name == b.name; }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Entry {
    std::shared_ptr<KernelCore> kernel;
    std::list<const Key*>::iterator place;  ///< in `by_use_`
  };

  struct Found {
    std::shared_ptr<KernelCore> kernel;
    bool known = false;
  };
  [[nodiscard]] Found get(ContextCore& context, BuildInput input, std::string name);
  [[nodiscard]] std::shared_ptr<KernelCore> drop_longest_unused();

  std::mutex mutex_;
  std::unordered_map<Key, Entry, Hash> kernels_;
  std::list<const Key*> by_use_;  // the last one first
};

}  // namespace anycl::detail
