// Running kernels.
#include <numeric>
#include <optional>

#include "dispatch.hpp"
#include "entry.hpp"
#include "kernel.hpp"
#include "queue.hpp"

namespace anycl::stub {
namespace {

Sizes read_sizes(cl_uint dimensions, const std::size_t* sizes, std::size_t otherwise) {
  Sizes read{otherwise, otherwise, otherwise};
  for (cl_uint d = 0; sizes != nullptr && d < dimensions; ++d) read[d] = sizes[d];
  return read;
}

void check_global(const NdRange& range) {
  for (std::size_t d = 0; d < range.dimensions; ++d) {
    require(range.global[d] != 0, CL_INVALID_GLOBAL_WORK_SIZE);
    require(range.offset[d] <= SIZE_MAX - range.global[d], CL_INVALID_GLOBAL_OFFSET);
  }
}

void check_local(const NdRange& range, const Sizes& required, const DeviceModel& model) {
  std::size_t group = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    require(range.local[d] != 0, CL_INVALID_WORK_GROUP_SIZE);
    require(range.local[d] <= model.max_item_sizes[d], CL_INVALID_WORK_ITEM_SIZE);
    require(range.global[d] % range.local[d] == 0, CL_INVALID_WORK_GROUP_SIZE);
    group *= range.local[d];
  }
  require(required == Sizes{} || required == range.local, CL_INVALID_WORK_GROUP_SIZE);
  require(group <= model.max_group_size, CL_INVALID_WORK_GROUP_SIZE);
}

/// What a driver may choose: the required size, or a power of two that divides.
Sizes choose_local(const NdRange& range, const Sizes& required) {
  if (required != Sizes{}) return required;
  return {std::gcd(range.global[0], std::size_t{64}), 1, 1};
}

NdRange read_range(const Kernel& kernel, const Device& device, cl_uint dimensions, const std::size_t* offset,
                   const std::size_t* global, const std::size_t* local) {
  require(dimensions >= 1 && dimensions <= 3, CL_INVALID_WORK_DIMENSION);
  require(global != nullptr, CL_INVALID_GLOBAL_WORK_SIZE);
  NdRange range{dimensions, read_sizes(dimensions, offset, 0), read_sizes(dimensions, global, 1), {}};
  check_global(range);
  const Sizes& required = kernel.code->declaration.required_group;
  range.local = local == nullptr ? choose_local(range, required) : read_sizes(dimensions, local, 1);
  check_local(range, required, device.model);
  return range;
}

/// A kernel on its way: all that it uses is its own, so that the kernel object is free for the next one.
class KernelCommand {
 public:
  KernelCommand(const Kernel& kernel, const NdRange& range) : code_(kernel.code) {
    launch_.range = range;
    launch_.arguments.reserve(kernel.arguments.size());
    for (const SetArgument& argument : kernel.arguments) add(argument, *kernel.program->context);
    const std::uint64_t number = machine().kernels_enqueued.fetch_add(1, std::memory_order_relaxed) + 1;
    fails_ = number == machine().settings.failing_kernel;
  }

  cl_int operator()() {
    if (fails_) return CL_OUT_OF_RESOURCES;
    spend_ns(machine().settings.kernel_ns);
    if (code_->builtin == nullptr) return CL_COMPLETE;
    launch_.literals = code_->builtin->literals;
    code_->builtin->run(launch_);
    return CL_COMPLETE;
  }

 private:
  void add(const SetArgument& argument, const Context& context) {
    require(argument.is_set, CL_INVALID_KERNEL_ARGS);
    launch_.arguments.push_back(argument.value);
    if (argument.memory == nullptr) return;
    Memory& memory = object_of<Memory>(argument.memory);
    require(memory.context.get() == &context, CL_INVALID_CONTEXT);
    memories_.emplace_back(memory);
    launch_.arguments.back().memory = memory.data();
  }

  std::shared_ptr<const BuiltKernel> code_;
  Launch launch_;
  std::vector<Ref<Memory>> memories_;
  bool fails_ = false;
};

void enqueue_kernel(cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint dimensions,
                    const std::size_t* offset, const std::size_t* global, const std::size_t* local,
                    const EnqueueTail& tail) {
  Queue& queue = object_of<Queue>(queue_handle);
  const Kernel& kernel = object_of<Kernel>(kernel_handle);
  const Device& device = *queue.device;
  require(kernel.program->context.get() == queue.context.get(), CL_INVALID_CONTEXT);
  require(kernel.program->build_status(device) == CL_BUILD_SUCCESS, CL_INVALID_PROGRAM_EXECUTABLE);
  const NdRange range = read_range(kernel, device, dimensions, offset, global, local);
  require(kernel.local_bytes() <= device.model.local_kib << 10, CL_OUT_OF_RESOURCES);
  submit(queue, CL_COMMAND_NDRANGE_KERNEL, tail, KernelCommand(kernel, range));
}

}  // namespace

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint count, const cl_event* waits,
                              cl_event* event) {
  return serve([&] { enqueue_kernel(queue, kernel, dimensions, offset, global, local, {count, waits, event}); });
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* waits, cl_event* event) {
  return serve([&] {
    const std::size_t one = 1;
    enqueue_kernel(queue, kernel, 1, nullptr, &one, &one, {count, waits, event});
  });
}

}  // namespace anycl::stub
