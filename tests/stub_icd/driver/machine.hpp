/// \file  The platforms and devices of this stub, made once from its settings when the library is loaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model.hpp"
#include "object.hpp"
#include "settings.hpp"

namespace anycl::stub {

class Device;

class Platform : public Object {
 public:
  using Handle = cl_platform_id;
  static constexpr ObjectKind kKind{"platform", 0x706c6174666f726d, CL_INVALID_PLATFORM};

  Platform(const PlatformModel& model, std::string platform_name)
      : Object(kKind), name(std::move(platform_name)), model_(model) {}

  const std::string name;
  std::vector<Ref<Device>> devices;

  [[nodiscard]] const PlatformModel& model() const noexcept { return model_; }

 private:
  const PlatformModel& model_;
};

class Device : public Object {
 public:
  using Handle = cl_device_id;
  static constexpr ObjectKind kKind{"device", 0x6465766963652121, CL_INVALID_DEVICE};

  Device(const Platform& owner, const DeviceModel& device_model, cl_uint number)
      : Object(kKind), platform(owner), model(device_model), ordinal(number) {}

  const Platform& platform;
  const DeviceModel& model;
  const cl_uint ordinal;  ///< among those of its model
  std::string name;
  std::string driver_version;
};

class Machine {
 public:
  explicit Machine(Settings machine_settings);

  const Settings settings;
  std::vector<Ref<Platform>> platforms;
  std::atomic<std::uint64_t> kernels_enqueued{0};
  std::atomic<std::uint64_t> builds_begun{0};

  /// Counts what buffers take. \throws Failure  when `memory=` does not leave so much.
  void take_memory(std::size_t size_bytes);
  void give_memory(std::size_t size_bytes) noexcept;

 private:
  Platform& platform_of(const DeviceModel& model);
  void add_device(const DeviceModel& model);

  std::atomic<std::uint64_t> memory_taken_{0};
};

/// Made on first use, and never destroyed.
[[nodiscard]] Machine& machine();

/// Sleeps for as long as something modelled takes.
void spend_ns(std::uint64_t time_ns);
void spend_seconds(double seconds);

/// Never returns.
[[noreturn]] void hang();

/// Ends the process after one line that says that it was asked for.
[[noreturn]] void die(const char* where);

/// The monotonic clock, in nanoseconds.
[[nodiscard]] cl_ulong now_ns() noexcept;

}  // namespace anycl::stub
