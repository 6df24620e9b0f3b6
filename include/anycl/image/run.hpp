/// \file  The filters on a device. Layer 7 (image).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "anycl/context/queue.hpp"
#include "anycl/export.hpp"
#include "anycl/image/picture.hpp"
#include "anycl/image/pipeline.hpp"

namespace anycl::image {

struct StepReport {
  std::string name;                        ///< "gaussian(1.4)"
  std::optional<std::uint64_t> device_ns;  ///< empty when the queue does not profile or its time stamps are not trusted
  std::uint64_t host_ns = 0;               ///< from enqueueing to completion; builds of kernels included
};

struct RunReport {
  std::vector<StepReport> steps;
  std::uint64_t bytes_to_device = 0;
  std::uint64_t bytes_to_host = 0;
  std::uint64_t peak_device_bytes = 0;
};

/// Runs all steps of `pipeline` on the queue's device and puts the result into `picture` itself. Takes at most three
/// buffers of the picture's size on the device (input, output, and what a step needs besides), and on the host nothing
/// beyond `picture`. Blocks. On an exception `picture` may hold anything.
/// \throws InvalidArgument  when the picture is empty, has not 1 to 4 channels, or its pixels do not fit its sizes.
/// \throws OutOfMemory      when the device cannot hold it; names bytes and limit.
/// \throws Unsupported      when the device lacks what a filter needs, local memory for example.
ANYCL_API RunReport run(Queue& queue, const Pipeline& pipeline, Picture& picture);

/// A rendered scene, RGB, with edges, texture and noise: something to filter when there is no photo. Blocks.
/// The same on all devices but for the last bit of some values.
/// \throws InvalidArgument, OutOfMemory, Unsupported
[[nodiscard]] ANYCL_API Picture render_scene(Queue& queue, std::size_t width, std::size_t height);

}  // namespace anycl::image
