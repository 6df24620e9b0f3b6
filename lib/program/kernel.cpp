#include "anycl/program/kernel.hpp"

#include "anycl/base/error.hpp"
#include "program/group_plan.hpp"
#include "program/kernel_core.hpp"
#include "program/kernel_table.hpp"
#include "program/program_cache.hpp"

namespace anycl {

Kernel::Kernel(Context& context, const Source& source, std::string name, const BuildOptions& options)
    : core_(detail::KernelTable::find_or_make(context.core(), detail::BuildInput(source, options), std::move(name))) {}

Kernel::Kernel(const Queue& queue, const Source& source, std::string name, const BuildOptions& options)
    : core_(detail::KernelTable::find_or_make(queue.core()->owner(), detail::BuildInput(source, options),
                                              std::move(name))) {}

Kernel Kernel::specialise(std::initializer_list<Definition> definitions) const {
  return specialise(std::span(definitions.begin(), definitions.size()));
}

Kernel Kernel::specialise(std::span<const Definition> definitions) const {
  return Kernel(
      detail::KernelTable::find_or_make(core_->context().shared_from_this(), core_->input().with(definitions), name()));
}

const std::string& Kernel::name() const noexcept { return core_->name(); }

Preparation Kernel::prepare() const { return prepare(core_->context().devices()); }

Preparation Kernel::prepare(std::span<const Device> devices) const { return detail::prepare(core_, devices); }

KernelInfo Kernel::info(const Device& device) const {
  const detail::KernelFacts& facts = core_->on_device(core_->context().index_of(device));
  KernelInfo info{.name = name(), .parameter_count = facts.signature.parameters.size()};
  if (facts.signature.described)
    for (const detail::Parameter& parameter : facts.signature.parameters)
      info.parameters.push_back({parameter.name, parameter.type, parameter.space, parameter.is_const});
  info.max_group_size = facts.max_group_size;
  info.preferred_multiple = facts.preferred_multiple;
  info.local_bytes = facts.local_memory_bytes;
  info.private_bytes = facts.private_memory_bytes;
  if (const auto& group = facts.required_group) info.required_group = Extents((*group)[0], (*group)[1], (*group)[2]);
  return info;
}

Extents Kernel::suggested_local_size(const Device& device, const Extents& global) const {
  const detail::KernelFacts& facts = core_->on_device(core_->context().index_of(device));
  return detail::suggest_group(global, facts, device.capabilities());
}

namespace detail {

KernelCore::KernelCore(ContextCore& context, BuildInput input, std::string name)
    : context_(context),
      input_(std::move(input)),
      name_(std::move(name)),
      label_(make_label("launch " + name_)),
      slots_(context_.devices().size()) {}

std::shared_ptr<BuildJob> KernelCore::begin(std::size_t device_index) {
  if (slots_[device_index].kernel.load(std::memory_order_acquire) != nullptr) return nullptr;
  context_.lifetime().check_usable();
  return context_.attached<ProgramCache>().begin(request_for(context_, device_index, input_));
}

void KernelCore::take(std::size_t device_index, const std::shared_ptr<BuildJob>& job) {
  if (slots_[device_index].kernel.load(std::memory_order_acquire) != nullptr) return;
  keep(device_index, context_.attached<ProgramCache>().get(*job));
}

BuiltKernel& KernelCore::build(std::size_t device_index) {
  context_.lifetime().check_usable();
  return keep(device_index, context_.attached<ProgramCache>().get(request_for(context_, device_index, input_)));
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
