#include "anycl/image/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/memory/buffer.hpp"
#include "anycl/memory/transfer.hpp"
#include "anycl/program/launch.hpp"
#include "anycl_kernels.hpp"
#include "image/gaussian.hpp"
#include "image/variant.hpp"

namespace anycl::image {
namespace {

using Pixels = Buffer<std::uint8_t>;

std::size_t round_up_div(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit; }

/// A picture's sizes as kernels take them.
struct Shape {
  std::uint32_t width;
  std::uint32_t height;
  int channels;

  [[nodiscard]] std::size_t pixels() const noexcept { return std::size_t{width} * height; }
  [[nodiscard]] std::size_t row_size() const noexcept {
    return std::size_t{width} * static_cast<std::size_t>(channels);
  }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return row_size() * height; }
  [[nodiscard]] std::size_t colour_channels() const noexcept {
    return static_cast<std::size_t>(channels == 2 || channels == 4 ? channels - 1 : channels);
  }
};

constexpr std::size_t kLargestSide = 16384;

Shape checked_shape(std::size_t width, std::size_t height, int channels) {
  if (width == 0 || height == 0 || channels < 1 || channels > 4)
    throw InvalidArgument(
        fmt::format("picture of {}x{} pixels and {} channels: there is nothing to work on", width, height, channels));
  if (width > kLargestSide || height > kLargestSide)
    throw InvalidArgument(fmt::format("picture of {}x{} pixels: the largest side is {}", width, height, kLargestSide));
  return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), channels};
}

/// CPU drivers vectorise explicit vectors best, others pack work-items themselves. Below 2^31 elements 32-bit indices
/// reach everything and are faster on every device.
detail::Variant fastest_variant(const Device& device, std::size_t elements) {
  return {.lanes = device.kind() == DeviceKind::cpu ? 16u : 4u, .wide_index = elements >= (std::size_t{1} << 31)};
}

BuildOptions index_option(const detail::Variant& variant) {
  return BuildOptions().define("INDEX", variant.wide_index ? "ulong" : "uint");
}

/// A launch of our own. Whatever it is refused for, the caller has made no mistake: the device lacks something.
/// \throws Unsupported
template <class... Args>
Event launch_ours(Queue& queue, const Kernel& kernel, const Range& range, const Args&... args) {
  try {
    return launch(queue, kernel, range, args...);
  } catch (const InvalidArgument& refusal) {
    throw Unsupported(fmt::format("{}; use another device", refusal.what()));
  }
}

/// All steps of one run on one queue.
class Runner {
 public:
  Runner(Queue& queue, const Shape& shape, const detail::Variant& variant)
      : queue_(queue), shape_(shape), lanes_(variant.lanes), options_(index_option(variant)) {
    options_.define("CHANNELS", shape_.channels).define("LANES", lanes_);
  }

  StepReport run(const Step& step, Pixels& src, Pixels& dst) {
    const auto begin = std::chrono::steady_clock::now();
    events_.clear();
    switch (step.filter->kind) {
      case FilterKind::gaussian:
        gaussian(step.arguments.at(0), src, dst);
        break;
      case FilterKind::median:
        median(static_cast<std::uint32_t>(step.arguments.at(0)), src, dst);
        break;
      case FilterKind::sobel:
        sobel(src, dst);
        break;
      case FilterKind::equalize:
        equalize(src, dst);
        break;
    }
    queue_.finish();
    const auto spent = std::chrono::steady_clock::now() - begin;
    return {to_string(step), device_time(),
            static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count())};
  }

  /// The most a step has taken besides its input and output.
  [[nodiscard]] std::size_t scratch_bytes() const noexcept { return scratch_bytes_; }

 private:
  [[nodiscard]] Kernel kernel(const Source& source, const char* name) const {
    return Kernel(queue_, source, name, options_);
  }

  template <class... Args>
  void enqueue(const Kernel& kernel, const Range& range, const Args&... args) {
    events_.push_back(launch_ours(queue_, kernel, range, args...));
  }

  /// One work-item for each run of elements in `rows` rows.
  [[nodiscard]] Range runs_of(std::size_t rows) const {
    return Range(round_up_div(shape_.row_size(), lanes_), rows).padded();
  }

  void took_scratch(std::size_t bytes) noexcept { scratch_bytes_ = std::max(scratch_bytes_, bytes); }

  void gaussian(double sigma, const Pixels& src, Pixels& dst) {
    const auto exact = gaussian_weights(sigma);
    const std::vector<float> rounded(exact.begin(), exact.end());
    const auto radius = static_cast<std::uint32_t>(gaussian_radius(sigma));
    Buffer<float> weights(queue_, rounded.size());
    write(queue_, weights, rounded).wait();

    const std::size_t pitch = round_up_div(shape_.row_size(), 16) * 16;
    const std::size_t strip_rows = rows_of_strip(pitch);
    Buffer<float> strip(queue_, strip_rows * pitch);
    took_scratch(strip.size_bytes() + weights.size_bytes());

    const Kernel columns = kernel(kernels::image_gaussian, "gaussian_columns");
    const Kernel rows = kernel(kernels::image_gaussian, "gaussian_rows");
    for (std::size_t first = 0; first < shape_.height; first += strip_rows) {
      const std::size_t count = std::min(strip_rows, shape_.height - first);
      enqueue(columns, runs_of(count), src, strip, weights, shape_.width, shape_.height, radius, first, count, pitch);
      enqueue(rows, runs_of(count), strip, src, dst, weights, shape_.width, radius, first, count, pitch);
    }
  }

  /// As many rows as a picture-sized buffer holds as floats; fewer on CPUs, where a strip should stay in the cache.
  [[nodiscard]] std::size_t rows_of_strip(std::size_t pitch) const {
    constexpr std::size_t kCacheBytes = std::size_t{4} << 20;
    const bool cached = queue_.device().kind() == DeviceKind::cpu;
    const std::size_t budget = cached ? std::min(kCacheBytes, shape_.size_bytes()) : shape_.size_bytes();
    return std::clamp<std::size_t>(budget / (pitch * sizeof(float)), 1, shape_.height);
  }

  void median(std::uint32_t side, const Pixels& src, Pixels& dst) {
    if (side == 3 || side == 5) {
      BuildOptions with_side = options_;
      with_side.define("SIDE", side);
      const Kernel network(queue_, kernels::image_median_network, "median_network", with_side);
      enqueue(network, runs_of(shape_.height), src, dst, shape_.width, shape_.height);
      return;
    }
    constexpr std::size_t kSegment = 64;  // pixels a work-item slides its window over: SEGMENT of the kernel
    const Range range(round_up_div(shape_.width, kSegment), std::size_t{shape_.height},
                      static_cast<std::size_t>(shape_.channels));
    enqueue(kernel(kernels::image_median_histogram, "median_histogram"), range.padded(), src, dst, shape_.width,
            shape_.height, side);
  }

  void sobel(const Pixels& src, Pixels& dst) {
    enqueue(kernel(kernels::image_sobel, "sobel"), runs_of(shape_.height), src, dst, shape_.width, shape_.height);
  }

  void equalize(const Pixels& src, Pixels& dst) {
    constexpr std::size_t kValues = 256;
    constexpr std::uint32_t kPerItem = 512;
    const Capabilities& device = queue_.device().capabilities();
    const std::size_t local = std::min({std::size_t{32}, device.max_group_size, device.max_item_sizes[0]});
    const std::size_t groups = round_up_div(shape_.pixels(), local * kPerItem);
    const std::size_t channels = shape_.colour_channels();
    Buffer<std::uint32_t> counts(queue_, channels * kValues);
    Pixels table(queue_, channels * kValues);
    took_scratch(counts.size_bytes() + table.size_bytes());

    events_.push_back(fill(queue_, counts, 0));
    enqueue(kernel(kernels::image_equalize, "equalize_count"),
            Range({groups * local, channels}, {local, std::size_t{1}}), src, counts, shape_.pixels(), kPerItem);
    enqueue(kernel(kernels::image_equalize, "equalize_table"), Range(kValues, channels).padded(), counts, table,
            shape_.pixels());
    enqueue(kernel(kernels::image_equalize, "equalize_apply"), Range(shape_.width, shape_.height).padded(), src, dst,
            table, shape_.width, shape_.height);
  }

  [[nodiscard]] std::optional<std::uint64_t> device_time() const {
    std::uint64_t sum = 0;
    for (const Event& event : events_) {
      const auto duration = event.duration_ns();
      if (!duration) return std::nullopt;
      sum += *duration;
    }
    return sum;
  }

  Queue& queue_;
  Shape shape_;
  std::size_t lanes_;
  BuildOptions options_;
  std::vector<Event> events_;
  std::size_t scratch_bytes_ = 0;
};

/// Two pictures and room for a step's scratch must fit. Refused here, since drivers promise memory that is not there.
void check_memory(const Device& device, const Shape& shape) {
  const Capabilities& facts = device.capabilities();
  const std::uint64_t one = shape.size_bytes();
  const auto refuse = [&](std::uint64_t needed, std::uint64_t limit, std::string_view what) {
    throw OutOfMemory(
        fmt::format("picture of {}x{}x{}: {} bytes needed, {} of {} is {} bytes; use a smaller picture or "
                    "another device",
                    shape.width, shape.height, shape.channels, needed, what, device.name(), limit),
        needed, limit);
  };
  if (one > facts.max_allocation_bytes) refuse(one, facts.max_allocation_bytes, "the largest buffer");
  if (3 * one > facts.global_memory_bytes) refuse(3 * one, facts.global_memory_bytes, "the memory");
}

}  // namespace

RunReport run(Queue& queue, const Pipeline& pipeline, Picture& picture) {
  return detail::run(queue, pipeline, picture, fastest_variant(queue.device(), picture.pixels.size()));
}

Picture render_scene(Queue& queue, std::size_t width, std::size_t height) {
  const detail::Variant variant;  // 32-bit indices reach all of its largest picture, 3 * 16384^2 elements
  return detail::render_scene(queue, width, height, variant);
}

namespace detail {
namespace {

/// While an exception leaves the scope, waits for work that uses memory of the caller, who may free it then.
class Borrowing {
 public:
  explicit Borrowing(Event event) : event_(std::move(event)) {}
  ~Borrowing() {
    if (std::uncaught_exceptions() == exceptions_) return;
    try {
      event_.wait();
    } catch (const Error&) {  // the caller gets the first one
    }
  }
  Borrowing(const Borrowing&) = delete;
  Borrowing& operator=(const Borrowing&) = delete;

 private:
  Event event_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

RunReport run(Queue& queue, const Pipeline& pipeline, Picture& picture, const Variant& variant) {
  const Shape shape = checked_shape(picture.width, picture.height, picture.channels);
  if (picture.pixels.size() != shape.size_bytes())
    throw InvalidArgument(fmt::format("picture of {}x{}x{}: {} bytes of pixels given, {} needed", shape.width,
                                      shape.height, shape.channels, picture.pixels.size(), shape.size_bytes()));
  check_memory(queue.device(), shape);

  Pixels src(queue, shape.size_bytes());
  Pixels dst(queue, shape.size_bytes());
  Runner runner(queue, shape, variant);
  RunReport report;
  const Borrowing pixels(write(queue, src, picture.pixels));
  for (const Step& step : pipeline.steps()) {
    report.steps.push_back(runner.run(step, src, dst));
    std::swap(src, dst);
  }
  read(queue, src, picture.pixels).wait();
  report.bytes_to_device = report.bytes_to_host = shape.size_bytes();
  report.peak_device_bytes = src.size_bytes() + dst.size_bytes() + runner.scratch_bytes();
  return report;
}

Picture render_scene(Queue& queue, std::size_t width, std::size_t height, const Variant& variant) {
  constexpr std::uint32_t kSeed = 1;
  const Shape shape = checked_shape(width, height, 3);
  check_memory(queue.device(), shape);
  const Kernel scene(queue, kernels::image_scene, "scene", index_option(variant));
  Pixels dst(queue, shape.size_bytes());
  launch_ours(queue, scene, Range(width, height).padded(), dst, width, height, kSeed);

  Picture picture{width, height, shape.channels, std::vector<std::uint8_t>(shape.size_bytes())};
  read(queue, dst, picture.pixels).wait();
  return picture;
}

}  // namespace detail
}  // namespace anycl::image
