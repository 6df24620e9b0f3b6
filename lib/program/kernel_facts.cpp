#include "program/kernel_facts.hpp"

#include <algorithm>

#include "device/device_record.hpp"
#include "device/info.hpp"

namespace anycl::detail {
namespace {

template <class T>
std::optional<T> group_info(cl_kernel kernel, const Device& device, cl_kernel_work_group_info what) {
  return read_value<T>(info(&clGetKernelWorkGroupInfo, kernel, device.record().device, what));
}

/// Nothing where the source asks for no group size.
std::optional<std::array<std::size_t, 3>> required_group(cl_kernel kernel, const Device& device) {
  using Sizes = std::array<size_t, 3>;
  const auto sizes = group_info<Sizes>(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  return sizes && *sizes != Sizes{} ? sizes : std::nullopt;
}

}  // namespace

KernelFacts read_kernel_facts(cl_kernel kernel, std::string_view name, const Device& device,
                              const KernelFacts* stored) {
  KernelFacts facts = stored != nullptr ? *stored : KernelFacts{read_signature(kernel, name, device)};
  const std::size_t most = stored != nullptr ? stored->max_group_size : device.capabilities().max_group_size;
  facts.max_group_size =
      std::max<size_t>(1, group_info<size_t>(kernel, device, CL_KERNEL_WORK_GROUP_SIZE).value_or(most));
  facts.preferred_multiple =
      std::max<size_t>(1, group_info<size_t>(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
                              .value_or(facts.preferred_multiple));
  facts.local_memory_bytes =
      group_info<cl_ulong>(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE).value_or(facts.local_memory_bytes);
  if (const auto bytes = group_info<cl_ulong>(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE))
    facts.private_memory_bytes = *bytes;
  if (const auto group = required_group(kernel, device)) facts.required_group = group;
  return facts;
}

}  // namespace anycl::detail
