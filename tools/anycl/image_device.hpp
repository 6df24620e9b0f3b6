/// \file  The device that a picture is computed on, and what it was chosen from.
#pragma once

#include <string_view>
#include <vector>

#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/device/selection.hpp"
#include "anycl/program/kernel_cache.hpp"
#include "json_document.hpp"
#include "table.hpp"

namespace anycl::command {

/// The first device of a selection, with a queue on it that takes time stamps.
class ImageDevice {
 public:
  /// \throws InvalidArgument, NoDevice
  explicit ImageDevice(std::string_view selection);

  [[nodiscard]] Queue& queue() noexcept { return queue_; }

  /// Adds what was found and what was chosen, and why.
  void describe(Table& table) const;
  void describe(Json& document) const;

  /// Adds the kernels built so far or taken from the cache.
  void describe_kernels(Table& table) const;
  void describe_kernels(Json& document) const;

  /// Blocks until the next run will find this run's kernels in the cache.
  void keep_kernels() { flush_kernel_cache(context_); }

 private:
  ImageDevice(std::string_view selection, const Discovery& discovery);

  std::vector<Device> found_;
  ChosenDevice chosen_;
  Context context_;
  Queue queue_;
};

/// What `--device` takes, for help texts.
inline constexpr const char* kDeviceHelp =
    "Where to compute, for example gpu, pocl or intel:cpu (default: rank 0 of 'anycl devices')";

}  // namespace anycl::command
