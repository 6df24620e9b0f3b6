/// \file  Raw OpenCL handles behind anycl's objects: the only public header that includes CL headers. Layer 4 (interop).
///
/// The handles are borrowed: valid while the anycl object lives, never to be released by the caller. The caller links or
/// opens an OpenCL loader itself.
#pragma once

#include <CL/cl.h>

#include "anycl/context/context.hpp"
#include "anycl/context/event.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/device/device.hpp"
#include "anycl/export.hpp"

namespace anycl::interop {

[[nodiscard]] ANYCL_API cl_platform_id native_platform(const Device& device) noexcept;
/// Of a sub-device: valid while a handle of it lives.
[[nodiscard]] ANYCL_API cl_device_id native_device(const Device& device) noexcept;

/// The native context that holds `device`; made if this is its first use.
/// \throws InvalidArgument  when `device` is not one of the context's.
[[nodiscard]] ANYCL_API cl_context native_context(Context& context, const Device& device);

/// Work enqueued here by hand is unknown to anycl: order against buffers is the caller's.
[[nodiscard]] ANYCL_API cl_command_queue native_queue(const Queue& queue) noexcept;

/// Null for an event without work behind it.
[[nodiscard]] ANYCL_API cl_event native_event(const Event& event) noexcept;

}  // namespace anycl::interop
