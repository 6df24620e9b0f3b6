// An OpenCL layer that ends the process: ANYCL_CRASHING_LAYER says when, "init" or "devices". Else it does nothing.
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <cstdlib>
#include <string_view>

namespace {

cl_icd_dispatch table;

bool crashes_at(std::string_view moment) {
  const char* value = std::getenv("ANYCL_CRASHING_LAYER");
  return value != nullptr && value == moment;
}

cl_int CL_API_CALL abort_for_devices(cl_platform_id, cl_device_type, cl_uint, cl_device_id*, cl_uint*) { std::abort(); }

}  // namespace

extern "C" [[gnu::visibility("default")]] cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                                            void* value, size_t* size_ret) {
  if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (size_ret != nullptr) *size_ret = sizeof(cl_layer_api_version);
  if (value != nullptr && size >= sizeof(cl_layer_api_version))
    *static_cast<cl_layer_api_version*>(value) = CL_LAYER_API_VERSION_100;
  return CL_SUCCESS;
}

extern "C" [[gnu::visibility("default")]] cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                                                         cl_uint* entries_ret,
                                                                         const cl_icd_dispatch** table_ret) {
  if (crashes_at("init")) std::abort();
  if (entries < sizeof(table) / sizeof(void*)) return CL_INVALID_VALUE;
  table = *target;
  if (crashes_at("devices")) table.clGetDeviceIDs = abort_for_devices;
  *entries_ret = sizeof(table) / sizeof(void*);
  *table_ret = &table;
  return CL_SUCCESS;
}
