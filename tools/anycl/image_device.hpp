/// \file  The device that a picture is computed on, and what it was chosen from.
#pragma once

#include <string_view>
#include <vector>

#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/device/selection.hpp"
#include "json_document.hpp"
#include "table.hpp"

namespace anycl::command {

/// The first device of a selection, with a queue on it that takes time stamps.
class ImageDevice {
 public:
  /// \throws InvalidArgument, NoDevice
  explicit ImageDevice(std::string_view selection);

  [[nodiscard]] Context& context() noexcept { return context_; }
  [[nodiscard]] Queue& queue() noexcept { return queue_; }

  /// Adds what was found and what was chosen, and why.
  void describe(Table& table) const;
  void describe(Json& document) const;

 private:
  ImageDevice(std::string_view selection, const Discovery& discovery);

  std::vector<Device> found_;
  ChosenDevice chosen_;
  Context context_;
  Queue queue_;
};

/// Adds the kernels built for `context` or taken from the cache so far.
void describe_kernels(const Context& context, Table& table);
void describe_kernels(const Context& context, Json& document);

/// What `--device` takes, for help texts.
inline constexpr const char* kDeviceHelp = "Where to compute, for example gpu, pocl or intel:cpu (default: rank 0 of 'anycl devices')";

}  // namespace anycl::command
