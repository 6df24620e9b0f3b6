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

Preparation Kernel::prepare() const { return prepare(core_->context().devices()); }

Preparation Kernel::prepare(std::span<const Device> devices) const {
  std::vector<std::size_t> indices;
  for (const Device& device : devices) indices.push_back(core_->context().index_of(device));  // before any is begun
  std::vector<Preparation::Part> parts;
  for (const std::size_t index : indices) parts.push_back({core_, index, core_->begin(index)});
  return Preparation(std::move(parts));
}

namespace detail {

KernelCore::KernelCore(std::shared_ptr<ContextCore> context, const Source& source, std::string name,
                       const BuildOptions& options)
    : context_(std::move(context)),
      source_(with_includes(source)),
      name_(std::move(name)),
      expanded_(expand(source_, options)),
      label_(make_label("launch " + name_)),
      slots_(context_->devices().size()) {}

BuildRequest KernelCore::request(std::size_t device_index) const {
  return {context_->native_of(device_index), context_->devices()[device_index], source_, expanded_};
}

std::shared_ptr<BuildJob> KernelCore::begin(std::size_t device_index) {
  if (slots_[device_index].kernel.load(std::memory_order_acquire) != nullptr) return nullptr;
  context_->lifetime().check_usable();
  return context_->attached<ProgramCache>().begin(request(device_index));
}

void KernelCore::take(std::size_t device_index, const std::shared_ptr<BuildJob>& job) {
  if (slots_[device_index].kernel.load(std::memory_order_acquire) != nullptr) return;
  keep(device_index, context_->attached<ProgramCache>().get(*job));
}

BuiltKernel& KernelCore::build(std::size_t device_index) {
  context_->lifetime().check_usable();
  return keep(device_index, context_->attached<ProgramCache>().get(request(device_index)));
}

BuiltKernel& KernelCore::keep(std::size_t device_index, std::shared_ptr<BuiltProgram> program) {
  BuiltKernel& kernel = program->kernel(name_);
  Slot& slot = slots_[device_index];
  const std::lock_guard lock(mutex_);
  slot.program = std::move(program);
  slot.kernel.store(&kernel, std::memory_order_release);
  return kernel;
}

}  // namespace detail
}  // namespace anycl
