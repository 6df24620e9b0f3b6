/// \file  What stands behind a Program handle. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "context/context_core.hpp"
#include "program/build_input.hpp"
#include "program/buildable.hpp"
#include "program/built_program.hpp"

namespace anycl::detail {

class ProgramCore final : public Buildable {
 public:
  ProgramCore(std::shared_ptr<ContextCore> context, BuildInput input);

  [[nodiscard]] const BuildInput& input() const noexcept { return input_; }
  [[nodiscard]] ContextCore& context() const noexcept override { return *context_; }
  [[nodiscard]] const std::shared_ptr<ContextCore>& owner() const noexcept { return context_; }

  /// The program on a device of the context; built by the first call.
  /// \throws InvalidArgument  for another device.
  [[nodiscard]] BuiltProgram& on_device(const Device& device);

  [[nodiscard]] std::shared_ptr<BuildJob> begin(std::size_t device_index) override;
  void take(std::size_t device_index, const std::shared_ptr<BuildJob>& job) override;

 private:
  /// Null: not built yet. What is there stays there.
  [[nodiscard]] BuiltProgram* ready(std::size_t device_index) const;

  std::shared_ptr<ContextCore> context_;
  BuildInput input_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<BuiltProgram>> built_;  // by device
};

}  // namespace anycl::detail
