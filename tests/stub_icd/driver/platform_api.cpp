// Platforms and devices.
#include <algorithm>
#include <array>
#include <cstdio>

#include <CL/cl_ext.h>

#include "dispatch.hpp"
#include "entry.hpp"
#include "machine.hpp"

namespace anycl::stub {
namespace {

constexpr cl_version kVersion3 = CL_MAKE_VERSION(3, 0, 0);
constexpr cl_version kVersion12 = CL_MAKE_VERSION(1, 2, 0);
constexpr std::string_view kPlatformExtensions = "cl_khr_icd";

cl_name_version named(std::string_view name, cl_version version) {
  cl_name_version entry{};
  entry.version = version;
  name.copy(entry.name, sizeof entry.name - 1);
  return entry;
}

std::vector<cl_name_version> named_words(std::string_view words) {
  std::vector<cl_name_version> entries;
  while (!words.empty()) {
    const auto end = words.find(' ');
    entries.push_back(named(words.substr(0, end), CL_MAKE_VERSION(1, 0, 0)));
    words = end == std::string_view::npos ? std::string_view{} : words.substr(end + 1);
  }
  return entries;
}

void answer_platform(const Platform& platform, cl_platform_info what, const Answer& answer) {
  switch (what) {
    case CL_PLATFORM_PROFILE:
      return answer.text("FULL_PROFILE");
    case CL_PLATFORM_VERSION:
      return answer.text(platform.model().version);
    case CL_PLATFORM_NUMERIC_VERSION:
      return answer.value(kVersion3);
    case CL_PLATFORM_NAME:
      return answer.text(platform.name);
    case CL_PLATFORM_VENDOR:
      return answer.text(platform.model().vendor);
    case CL_PLATFORM_EXTENSIONS:
      return answer.text(kPlatformExtensions);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
      return answer.list(named_words(kPlatformExtensions));
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
      return answer.value<cl_ulong>(1);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
      return answer.text("STUB");
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

bool has_extension(const Device& device, std::string_view name) {
  return device.model.extensions.find(name) != std::string_view::npos;
}

/// Different for each model and each device of it.
std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid_of(const Device& device) {
  std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid{};
  device.model.key.copy(reinterpret_cast<char*>(uuid.data()), uuid.size() - 1);
  uuid.back() = static_cast<cl_uchar>(device.ordinal + 1);
  return uuid;
}

void answer_names(const Device& device, cl_device_info what, const Answer& answer) {
  switch (what) {
    case CL_DEVICE_NAME:
      return answer.text(device.name);
    case CL_DEVICE_VENDOR:
      return answer.text(device.model.vendor);
    case CL_DEVICE_VENDOR_ID:
      return answer.value(device.model.vendor_id);
    case CL_DRIVER_VERSION:
      return answer.text(device.driver_version);
    case CL_DEVICE_PROFILE:
      return answer.text("FULL_PROFILE");
    case CL_DEVICE_VERSION:
      return answer.text(device.platform.model().version);
    case CL_DEVICE_NUMERIC_VERSION:
      return answer.value(kVersion3);
    case CL_DEVICE_OPENCL_C_VERSION:
      return answer.text("OpenCL C 1.2 ");
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
      return answer.list(std::vector{named("OpenCL C", kVersion12)});
    case CL_DEVICE_EXTENSIONS:
      return answer.text(device.model.extensions);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return answer.list(named_words(device.model.extensions));
    case CL_DEVICE_OPENCL_C_FEATURES:
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
      return answer.list(std::vector<cl_name_version>{});
    case CL_DEVICE_BUILT_IN_KERNELS:
    case CL_DEVICE_IL_VERSION:
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return answer.text("");
    case CL_DEVICE_UUID_KHR:
      require(has_extension(device, "cl_khr_device_uuid"), CL_INVALID_VALUE);
      return answer.value(uuid_of(device));
    case CL_DEVICE_PCI_BUS_INFO_KHR:
      require(has_extension(device, "cl_khr_pci_bus_info"), CL_INVALID_VALUE);
      return answer.value(cl_device_pci_bus_info_khr{0, device.model.pci_bus + device.ordinal, 0, 0});
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

cl_device_fp_config precision() { return CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_FMA | CL_FP_DENORM; }

void answer_limits(const Device& device, cl_device_info what, const Answer& answer) {
  const DeviceModel& model = device.model;
  switch (what) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return answer.value(model.compute_units);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return answer.value(model.clock_mhz);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return answer.value<cl_ulong>(model.global_mib << 20);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return answer.value<cl_ulong>(model.max_allocation_mib << 20);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return answer.value<cl_ulong>(model.local_kib << 10);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return answer.value(model.max_group_size);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return answer.value<cl_uint>(3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return answer.value(model.max_item_sizes);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return answer.value(model.preferred_multiple);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return answer.value<std::size_t>(4096);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return answer.value<cl_ulong>(65536);
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return answer.value<cl_uint>(8);
    case CL_DEVICE_ADDRESS_BITS:
      return answer.value<cl_uint>(64);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return answer.value<cl_uint>(1024);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return answer.value<cl_uint>(128);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return answer.value<cl_ulong>(1 << 20);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return answer.value<std::size_t>(1);
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return answer.value<std::size_t>(1 << 20);
    case CL_DEVICE_REFERENCE_COUNT:
      return answer.value<cl_uint>(1);
    default:
      return answer_names(device, what, answer);
  }
}

void answer_abilities(const Device& device, cl_device_info what, const Answer& answer) {
  switch (what) {
    case CL_DEVICE_TYPE:
      return answer.value(device.model.type);
    case CL_DEVICE_PLATFORM:
      return answer.value(handle_of(device.platform));
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
      return answer.flag(true);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return answer.flag(device.model.unified_memory);
    case CL_DEVICE_IMAGE_SUPPORT:
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_PIPE_SUPPORT:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
      return answer.flag(false);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return answer.value<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                       CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return answer.value<cl_device_exec_capabilities>(CL_EXEC_KERNEL);
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return answer.value(precision());
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      return answer.value<cl_device_fp_config>(has_extension(device, "cl_khr_fp64") ? precision() : 0);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return answer.value<cl_device_local_mem_type>(CL_LOCAL);
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return answer.value<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE);
    case CL_DEVICE_SVM_CAPABILITIES:
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return answer.value<cl_bitfield>(0);
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_SAMPLERS:
      return answer.value<cl_uint>(0);
    case CL_DEVICE_PARTITION_PROPERTIES:
      return answer.list(std::vector<cl_device_partition_property>{0});
    case CL_DEVICE_PARTITION_TYPE:
      return answer.list(std::vector<cl_device_partition_property>{});
    case CL_DEVICE_PARENT_DEVICE:
      return answer.value<cl_device_id>(nullptr);
    default:
      return answer_limits(device, what, answer);
  }
}

std::vector<Ref<Device>> devices_of(const Platform& platform, cl_device_type type) {
  require((type & CL_DEVICE_TYPE_ALL) != 0, CL_INVALID_DEVICE_TYPE);
  std::vector<Ref<Device>> found;
  for (const Ref<Device>& device : platform.devices) {
    const bool first = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && found.empty();
    if ((device->model.type & type) != 0 || first) found.push_back(device);
  }
  return found;
}

/// What `platforms=` asks for; once, for loaders ask twice.
void misbehave(const Settings& settings) {
  static std::atomic<bool> slept{false};
  if (settings.chatter) {
    std::fputs(settings.chatter->c_str(), stdout);
    std::fflush(stdout);
  }
  if (settings.platforms == Settings::Platforms::abort) die("platforms=abort");
  if (!slept.exchange(true)) spend_seconds(settings.platforms_seconds);
}

void give_nulls(cl_uint number, cl_uint size, cl_platform_id* platforms, cl_uint* count) {
  if (platforms != nullptr) std::fill_n(platforms, std::min(number, size), nullptr);
  if (count != nullptr) *count = number;
}

}  // namespace

cl_int clIcdGetPlatformIDsKHR(cl_uint size, cl_platform_id* platforms, cl_uint* count) {
  return serve([&] {
    const Settings& settings = machine().settings;
    misbehave(settings);
    require(settings.load != Settings::Load::fail && settings.platforms != Settings::Platforms::none,
            CL_PLATFORM_NOT_FOUND_KHR);
    require(settings.platforms_error == CL_SUCCESS, settings.platforms_error);
    if (settings.platforms == Settings::Platforms::null)
      return give_nulls(settings.null_platforms, size, platforms, count);
    give_handles(machine().platforms, size, platforms, count);
  });
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_platform(object_of<Platform>(platform), what, {size, value, size_ret}); });
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint size, cl_device_id* devices,
                      cl_uint* count) {
  return serve([&] {
    const auto found = devices_of(object_of<Platform>(platform), type);
    if (count != nullptr) *count = 0;
    require(!found.empty(), CL_DEVICE_NOT_FOUND);
    give_handles(found, size, devices, count);
    if (count != nullptr) *count = machine().settings.claimed_devices.value_or(*count);
  });
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_abilities(object_of<Device>(device), what, {size, value, size_ret}); });
}

// Devices that are not parts of others live as long as the process.
cl_int clRetainDevice(cl_device_id device) {
  return serve([&] { static_cast<void>(object_of<Device>(device)); });
}

cl_int clReleaseDevice(cl_device_id device) {
  return serve([&] { static_cast<void>(object_of<Device>(device)); });
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  return serve([&] { static_cast<void>(object_of<Platform>(platform)); });
}

}  // namespace anycl::stub
