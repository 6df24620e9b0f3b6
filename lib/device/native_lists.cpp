#include "device/native_lists.hpp"

#include <CL/cl_icd.h>

#include "base/os_library.hpp"
#include "device/entry_points.hpp"

namespace anycl::detail {

HandleList<cl_platform_id> list_platforms() {
  return list_handles<cl_platform_id>(
      CL_PLATFORM_NOT_FOUND_KHR,
      [](cl_uint size, cl_platform_id* platforms, cl_uint* count) { return clGetPlatformIDs(size, platforms, count); });
}

HandleList<cl_device_id> list_devices(cl_platform_id platform) {
  return list_handles<cl_device_id>(CL_DEVICE_NOT_FOUND,
                                    [platform](cl_uint size, cl_device_id* devices, cl_uint* count) {
                                      return clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, size, devices, count);
                                    });
}

std::string driver_file(cl_platform_id platform) {
  if (!entry_points().objects_have_tables) return {};
  const cl_icd_dispatch* table = *reinterpret_cast<cl_icd_dispatch* const*>(platform);
  return table != nullptr ? os::file_of(reinterpret_cast<const void*>(table->clGetPlatformInfo)) : std::string();
}

}  // namespace anycl::detail
