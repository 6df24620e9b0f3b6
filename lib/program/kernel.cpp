#include "anycl/program/kernel.hpp"

#include "anycl/base/error.hpp"
#include "program/include_expander.hpp"
#include "program/kernel_core.hpp"
#include "program/program_cache.hpp"

namespace anycl {

Kernel::Kernel(Context& context, const Source& source, std::string name, const BuildOptions& options)
    : core_(std::make_shared<detail::KernelCore>(context.core(), source, std::move(name), options)) {}

Kernel::Kernel(const Queue& queue, const Source& source, std::string name, const BuildOptions& options)
    : core_(std::make_shared<detail::KernelCore>(queue.core()->owner(), source, std::move(name), options)) {}

const std::string& Kernel::name() const noexcept { return core_->name(); }

namespace detail {

KernelCore::KernelCore(std::shared_ptr<ContextCore> context, const Source& source, std::string name,
                       const BuildOptions& options)
    : context_(std::move(context)),
      source_(source),
      name_(std::move(name)),
      expanded_(expand(source, options)),
      label_(make_label("launch " + name_)),
      slots_(context_->devices().size()) {}

BuiltKernel& KernelCore::build(std::size_t device_index) {
  context_->lifetime().check_usable();
  auto& programs = context_->attached<ProgramCache>();
  auto program = programs.get(context_->native_of(device_index), context_->devices()[device_index], source_, expanded_);
  BuiltKernel& kernel = program->kernel(name_);
  Slot& slot = slots_[device_index];
  const std::lock_guard lock(mutex_);
  slot.program = std::move(program);
  slot.kernel.store(&kernel, std::memory_order_release);
  return kernel;
}

}  // namespace detail
}  // namespace anycl
