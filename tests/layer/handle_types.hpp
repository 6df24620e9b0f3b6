/// \file  The types of OpenCL handles that are counted.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>

#include <CL/cl.h>

namespace anycl::test_layer {

enum class HandleType { device, context, queue, buffer, sampler, program, kernel, event };

/// Of devices only sub-devices are counted: the others have no references.
inline constexpr std::array<const char*, 8> kHandleTypeNames{"sub-devices", "contexts", "queues",  "buffers",
                                                             "samplers",    "programs", "kernels", "events"};

using HandleSet = std::bitset<kHandleTypeNames.size()>;

// clang-format off
constexpr HandleType type_of(cl_device_id) noexcept { return HandleType::device; }
constexpr HandleType type_of(cl_context) noexcept { return HandleType::context; }
constexpr HandleType type_of(cl_command_queue) noexcept { return HandleType::queue; }
constexpr HandleType type_of(cl_mem) noexcept { return HandleType::buffer; }
constexpr HandleType type_of(cl_sampler) noexcept { return HandleType::sampler; }
constexpr HandleType type_of(cl_program) noexcept { return HandleType::program; }
constexpr HandleType type_of(cl_kernel) noexcept { return HandleType::kernel; }
constexpr HandleType type_of(cl_event) noexcept { return HandleType::event; }
// clang-format on

template <class T>
concept CountedHandle = requires(T handle) {
  type_of(handle);
};

}  // namespace anycl::test_layer
