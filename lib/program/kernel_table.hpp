/// \file  Kernels that a context knows. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "base/recent_map.hpp"
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

  struct Found {
    std::shared_ptr<KernelCore> kernel;
    bool known = false;
  };
  [[nodiscard]] Found get(ContextCore& context, BuildInput input, std::string name);

  std::mutex mutex_;
  RecentMap<Key, std::shared_ptr<KernelCore>, Hash> kernels_;
};

}  // namespace anycl::detail
