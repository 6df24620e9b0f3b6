/// \file  What stands behind a Kernel handle. Layer 3 (program).
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "anycl/program/kernel.hpp"
#include "context/context_core.hpp"
#include "program/build_input.hpp"
#include "program/build_request.hpp"
#include "program/buildable.hpp"
#include "program/program_cache.hpp"

namespace anycl::detail {

class KernelCore final : public Buildable {
 public:
  /// `context` outlives it, or is closed.
  KernelCore(ContextCore& context, BuildInput input, std::string name);

  [[nodiscard]] const BuildInput& input() const noexcept { return input_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] ContextCore& context() const noexcept override { return context_; }
  /// "launch NAME", for messages about work.
  [[nodiscard]] Label label() const noexcept { return label_; }

  /// The kernel on the device at `device_index` of the context; built by the first call.
  [[nodiscard]] BuiltKernel& on_device(std::size_t device_index) {
    BuiltKernel* ready = slots_[device_index].kernel.load(std::memory_order_acquire);
    return ready != nullptr ? *ready : build(device_index);
  }

  [[nodiscard]] std::shared_ptr<BuildJob> begin(std::size_t device_index) override;
  void take(std::size_t device_index, const std::shared_ptr<BuildJob>& job) override;

 private:
  /// Where a device's build stands once it is there; the program is held as long as the kernel is.
  struct Slot {
    std::atomic<BuiltKernel*> kernel{nullptr};
    std::shared_ptr<BuiltProgram> program;
  };

  [[nodiscard]] BuiltKernel& build(std::size_t device_index);
  BuiltKernel& keep(std::size_t device_index, std::shared_ptr<BuiltProgram> program);

  ContextCore& context_;
  BuildInput input_;
  std::string name_;
  Label label_;
  std::mutex mutex_;
  std::vector<Slot> slots_;
};

}  // namespace anycl::detail
