#include "anycl/program/launch.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "context/queue_core.hpp"
#include "device/check.hpp"
#include "device/device_record.hpp"
#include "program/argument_check.hpp"
#include "program/group_plan.hpp"
#include "program/kernel_core.hpp"
#include "program/program_cache.hpp"
#include "program/struct_layouts.hpp"

namespace anycl::detail {
namespace {

using Kind = BoundArgument::Kind;

/// The gates of all distinct resources of a launch, locked in address order and unlocked together.
class GateLock {
 public:
  explicit GateLock(std::span<const BoundArgument> arguments) {
    if (arguments.size() > few_.size()) many_.resize(arguments.size());
    Resource** const begin = many_.empty() ? few_.data() : many_.data();
    Resource** end = begin;
    for (const BoundArgument& argument : arguments)
      if (argument.resource != nullptr) *end++ = argument.resource;
    std::sort(begin, end);
    resources_ = {begin, std::unique(begin, end)};
    for (Resource* resource : resources_) resource->gate().lock();
  }
  ~GateLock() {
    for (Resource* resource : resources_) resource->gate().unlock();
  }
  GateLock(const GateLock&) = delete;
  GateLock& operator=(const GateLock&) = delete;

 private:
  std::array<Resource*, 16> few_;
  std::vector<Resource*> many_;
  std::span<Resource*> resources_;
};

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  return b > kMost - a ? kMost : a + b;
}

Access access_of(const Parameter& parameter) {
  return parameter.is_const || parameter.space == Parameter::Space::constant ? Access::read : Access::read_write;
}

/// One launch, from checks to the event.
class Launch {
 public:
  Launch(QueueCore& queue, KernelCore& kernel, std::span<const BoundArgument> arguments)
      : queue_(queue), kernel_(kernel), built_(kernel.on_device(queue.device_index())), arguments_(arguments) {}

  Event run(const Range& range) {
    check_arguments();
    check_layouts();
    const GroupPlan plan = plan_groups(range, built_, queue_.device().capabilities(), *kernel_.label(),
                                       queue_.device().record().faults.range_limits());
    check_local_memory();
    const LentKernel native(built_.pool);
    const GateLock gates(arguments_);
    WaitList waits(queue_);
    for (std::size_t i = 0; i < arguments_.size(); ++i) set_argument(native.get(), i, waits);
    const auto enqueue = [&](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* done) {
      return clEnqueueNDRangeKernel(queue, native.get(), plan.dimensions, nullptr, plan.global.data(),
                                    plan.local_or_null(), count, list, done);
    };
    // Drivers of OpenCL before 2.1 refuse an empty range: a marker takes its place in the order.
    const Event event = plan.empty ? queue_.submit_marker(waits, kernel_.label(), resource_count())
                                   : queue_.submit(waits, kernel_.label(), enqueue, resource_count());
    commit(event);
    return event;
  }

  [[nodiscard]] BuiltKernel& built() const noexcept { return built_; }

 private:
  [[nodiscard]] std::uint32_t resource_count() const noexcept {
    return static_cast<std::uint32_t>(std::count_if(arguments_.begin(), arguments_.end(),
                                                    [](const BoundArgument& a) { return a.resource != nullptr; }));
  }

  /// Each resource gets one of the references that the submission was made with.
  void commit(const Event& event) const noexcept {
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (Resource* resource = arguments_[i].resource)
        resource->commit(queue_, access_of(built_.signature.parameters[i]), Event(event.state()));
  }

  void check_arguments() const {
    const auto& parameters = built_.signature.parameters;
    if (arguments_.size() != parameters.size())
      throw InvalidArgument(fmt::format("{}: the kernel takes {} arguments, got {}", *kernel_.label(),
                                        parameters.size(), arguments_.size()));
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].kind == Kind::resource && arguments_[i].resource == nullptr)
        throw InvalidArgument(fmt::format("{}: argument {} is a buffer that was moved from", *kernel_.label(), i));
    if (!built_.signature.described) return;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      check_argument(arguments_[i], parameters[i], *kernel_.label(), i);
  }

  /// Structs that came with a description, where the kernel may have a struct.
  void check_layouts() const {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Parameter& parameter = built_.signature.parameters[i];
      const StructDescription* const described = arguments_[i].structure;
      if (described == nullptr || parameter.element.scalar != ScalarType::none) continue;
      auto& layouts = kernel_.context().attached<StructLayouts>();
      if (!layouts.known_equal(queue_.device_index(), *described)) [[unlikely]]
        layouts.check(queue_.device_index(), *described,
                      fmt::format("{}: argument {} '{}'", *kernel_.label(), i, parameter.name));
    }
  }

  /// Some drivers end the process, or run on with what they do not have: refuse here.
  void check_local_memory() const {
    const std::uint64_t limit = queue_.device().capabilities().local_memory_bytes;
    std::uint64_t needed = built_.local_memory_bytes;
    for (const BoundArgument& argument : arguments_)
      if (argument.kind == Kind::local) needed = saturated_sum(needed, argument.size_bytes);
    if (needed > limit && needed > 0)
      throw InvalidArgument(fmt::format("{}: {} bytes of local memory needed, {} has {}", *kernel_.label(), needed,
                                        queue_.device().name(), limit));
  }

  void set_argument(cl_kernel native, std::size_t index, WaitList& waits) const {
    const BoundArgument& argument = arguments_[index];
    const Parameter& parameter = built_.signature.parameters[index];
    const auto position = static_cast<cl_uint>(index);
    cl_int code = CL_SUCCESS;
    switch (argument.kind) {
      case Kind::value: {
        SettableValue value;
        settle_value(argument, parameter, value, *kernel_.label(), index);
        code = clSetKernelArg(native, position, value.size_bytes, value.data);
        if (code == CL_INVALID_ARG_SIZE && argument.type.scalar == ScalarType::none)
          code = set_without_tail_padding(native, position, argument);
        break;
      }
      case Kind::local:
        code = clSetKernelArg(native, position, argument.size_bytes, nullptr);
        break;
      case Kind::null: {
        const cl_mem nothing = nullptr;
        code = clSetKernelArg(native, position, sizeof nothing, &nothing);
        break;
      }
      case Kind::resource: {
        const auto memory = static_cast<cl_mem>(argument.resource->acquire(queue_, access_of(parameter), waits));
        code = clSetKernelArg(native, position, sizeof memory, &memory);
        break;
      }
    }
    if (code != CL_SUCCESS) [[unlikely]]
      throw_argument_refused(code, index);
  }

  /// Mesa 22.3 wants a struct {int; char} in five bytes, C++ has it in eight: the padding at its end is left out.
  static cl_int set_without_tail_padding(cl_kernel native, cl_uint position, const BoundArgument& argument) {
    cl_int code = CL_INVALID_ARG_SIZE;
    for (std::size_t less = 1; less < argument.alignment && code == CL_INVALID_ARG_SIZE; ++less)
      code = clSetKernelArg(native, position, argument.size_bytes - less, argument.data);
    return code;
  }

  [[noreturn]] void throw_argument_refused(cl_int code, std::size_t index) const {
    const Parameter& parameter = built_.signature.parameters[index];
    if (code == CL_INVALID_ARG_SIZE && arguments_[index].kind == Kind::value)
      refuse_size(arguments_[index], parameter, *kernel_.label(), index);
    throw_cl(code, "clSetKernelArg", fmt::format("{}: argument {} '{}'", *kernel_.label(), index, parameter.name));
  }

  QueueCore& queue_;
  KernelCore& kernel_;
  BuiltKernel& built_;
  std::span<const BoundArgument> arguments_;
};

}  // namespace

Event launch_bound(Queue& queue, const Kernel& kernel, const Range& range, std::span<const BoundArgument> arguments) {
  KernelCore& core = *kernel.core();
  if (&queue.core()->lifetime() != &core.context().lifetime())
    throw InvalidArgument(fmt::format("{}: queue and kernel belong to different contexts", *core.label()));
  queue.core()->lifetime().check_usable();  // before any lock: in a forked child it may be held for ever
  Launch launch(*queue.core(), core, arguments);
  Event event = launch.run(range);
  if (launch.built().program.first_launch()) [[unlikely]]
    core.context().attached<ProgramCache>().launched(launch.built().program, event);
  return event;
}

}  // namespace anycl::detail
