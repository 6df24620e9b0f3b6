#include "program/build_request.hpp"

#include "program/compiler_options.hpp"

namespace anycl::detail {

BuildRequest request_for(ContextCore& context, std::size_t device_index, const BuildInput& input) {
  const Device& device = context.devices()[device_index];
  return {context.native_of(device_index), device, input, compiler_options(input, device)};
}

}  // namespace anycl::detail
