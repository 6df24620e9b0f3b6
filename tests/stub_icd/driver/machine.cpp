#include "machine.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace anycl::stub {
namespace {

/// Of this very copy of the library.
std::string library_file() {
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(&library_file), &found) == 0) return {};
  return found.dli_fname;
}

std::string settings_text() {
  std::ifstream file(library_file() + ".settings");
  if (file) return {std::istreambuf_iterator<char>(file), {}};
  const char* variable = std::getenv("ANYCL_STUB");
  return variable == nullptr ? "" : variable;
}

Settings read_settings() {
  try {
    return parse_settings(settings_text());
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "anycl stub: %s\n", error.what());
    std::abort();
  }
}

/// What the loading of a library does by itself is done here.
struct AtLoad {
  AtLoad() {
    const Settings& settings = machine().settings;
    if (settings.load == Settings::Load::abort) die("load=abort");
    spend_seconds(settings.load_seconds);
  }
} at_load;

}  // namespace

Machine::Machine(Settings machine_settings) : settings(std::move(machine_settings)) {
  for (const std::string& key : settings.devices) add_device(*find_model(key));
  if (platforms.empty()) static_cast<void>(platform_of(device_models().front()));
}

Platform& Machine::platform_of(const DeviceModel& model) {
  const auto same = [&](const Ref<Platform>& platform) { return &platform->model() == model.platform; };
  const auto found = std::find_if(platforms.begin(), platforms.end(), same);
  if (found != platforms.end()) return **found;
  platforms.push_back(
      make<Platform>(*model.platform, settings.platform_name.value_or(std::string(model.platform->name))));
  return *platforms.back();
}

void Machine::add_device(const DeviceModel& model) {
  Platform& platform = platform_of(model);
  const auto same = [&](const Ref<Device>& device) { return &device->model == &model; };
  const auto ordinal = std::count_if(platform.devices.begin(), platform.devices.end(), same);
  Ref<Device> device = make<Device>(platform, model, static_cast<cl_uint>(ordinal));
  device->name = settings.device_name.value_or(std::string(model.name));
  device->driver_version = settings.driver_version.value_or(std::string(model.driver_version));
  platform.devices.push_back(std::move(device));
}

void Machine::take_memory(std::size_t size_bytes) {
  const std::uint64_t before = memory_taken_.fetch_add(size_bytes, std::memory_order_relaxed);
  if (settings.memory_bytes == 0 || before + size_bytes <= settings.memory_bytes) return;
  give_memory(size_bytes);
  throw Failure{CL_MEM_OBJECT_ALLOCATION_FAILURE};
}

void Machine::give_memory(std::size_t size_bytes) noexcept {
  memory_taken_.fetch_sub(size_bytes, std::memory_order_relaxed);
}

Machine& machine() {
  static Machine* only = new Machine(read_settings());
  return *only;
}

void spend_ns(std::uint64_t time_ns) {
  if (time_ns != 0) std::this_thread::sleep_for(std::chrono::nanoseconds(time_ns));
}

void spend_seconds(double seconds) { spend_ns(static_cast<std::uint64_t>(seconds * 1e9)); }

void hang() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

void die(const char* where) {
  std::fprintf(stderr, "anycl stub: %s\n", where);
  std::abort();
}

cl_ulong now_ns() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace anycl::stub
