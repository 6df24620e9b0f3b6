#include "anycl/program/program.hpp"

#include <utility>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "program/build_request.hpp"
#include "program/excerpt.hpp"
#include "program/kernel_table.hpp"
#include "program/program_cache.hpp"
#include "program/program_core.hpp"

namespace anycl {
namespace {

[[noreturn]] void refuse(const detail::ProgramCore& program, const Device& device, std::string_view why) {
  throw Unsupported(fmt::format("build of {} for {}: {}", program.input().label(), device.name(), why));
}

}  // namespace

Program::Program(Context& context, const Source& source, const BuildOptions& options)
    : core_(std::make_shared<detail::ProgramCore>(context.core(), detail::BuildInput(source, options))) {}

Preparation Program::prepare() const { return prepare(core_->context().devices()); }

Preparation Program::prepare(std::span<const Device> devices) const { return detail::prepare(core_, devices); }

std::vector<std::string> Program::kernel_names(const Device& device) const {
  auto names = core_->on_device(device).kernel_names();
  if (!names) refuse(*core_, device, "the driver does not tell which kernels there are");
  return *std::move(names);
}

Kernel Program::kernel(std::string name) const {
  return Kernel(detail::KernelTable::find_or_make(core_->owner(), core_->input(), std::move(name)));
}

std::vector<BuildMessage> Program::messages(const Device& device) const {
  std::vector<BuildMessage> messages = core_->on_device(device).messages();
  detail::add_excerpts(messages, core_->input().source());
  return messages;
}

std::vector<std::byte> Program::binary(const Device& device) const {
  auto bytes = core_->on_device(device).binary();
  if (bytes.empty()) refuse(*core_, device, "the driver gives no binary");
  return bytes;
}

namespace detail {

ProgramCore::ProgramCore(std::shared_ptr<ContextCore> context, BuildInput input)
    : context_(std::move(context)), input_(std::move(input)), built_(context_->devices().size()) {}

BuiltProgram* ProgramCore::ready(std::size_t device_index) const {
  const std::lock_guard lock(mutex_);
  return built_[device_index].get();
}

BuiltProgram& ProgramCore::on_device(const Device& device) {
  context_->lifetime().check_usable();  // what was built is asked of the driver too
  const std::size_t index = context_->index_of(device);
  if (ready(index) == nullptr) take(index, begin(index));
  return *ready(index);
}

std::shared_ptr<BuildJob> ProgramCore::begin(std::size_t device_index) {
  if (ready(device_index) != nullptr) return nullptr;
  context_->lifetime().check_usable();
  return context_->attached<ProgramCache>().begin(request_for(*context_, device_index, input_));
}

void ProgramCore::take(std::size_t device_index, const std::shared_ptr<BuildJob>& job) {
  if (job == nullptr) return;
  auto program = context_->attached<ProgramCache>().get(*job);
  const std::lock_guard lock(mutex_);
  if (built_[device_index] == nullptr) built_[device_index] = std::move(program);
}

}  // namespace detail
}  // namespace anycl
