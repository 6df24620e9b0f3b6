#include "dispatch.hpp"

#include <string_view>

#include "entry.hpp"
#include "machine.hpp"

namespace anycl::stub {
namespace {

constexpr cl_icd_dispatch make_table() {
  cl_icd_dispatch table{};
#define ANYCL_STUB_FILL(name) table.name = &name;
  ANYCL_STUB_ENTRIES(ANYCL_STUB_FILL)
#undef ANYCL_STUB_FILL
  return table;
}

constinit const cl_icd_dispatch kTable = make_table();

}  // namespace

const cl_icd_dispatch& dispatch() noexcept { return kTable; }

cl_int clGetPlatformIDs(cl_uint size, cl_platform_id* platforms, cl_uint* count) {
  return stub::clIcdGetPlatformIDsKHR(size, platforms, count);
}

// What a loader asks for by name; every other entry is in the table.
void* clGetExtensionFunctionAddress(const char* name) {
  const std::string_view wanted = name == nullptr || machine().settings.load == Settings::Load::fail ? "" : name;
  if (wanted == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void*>(&stub::clIcdGetPlatformIDsKHR);
  if (wanted == "clGetPlatformInfo") return reinterpret_cast<void*>(&stub::clGetPlatformInfo);
  return nullptr;
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char* name) {
  return clGetExtensionFunctionAddress(name);
}

}  // namespace anycl::stub

// The only symbols that the library shows.
#define ANYCL_STUB_EXPORT __attribute__((visibility("default")))
extern "C" {
ANYCL_STUB_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint size, cl_platform_id* platforms, cl_uint* count) {
  return anycl::stub::clIcdGetPlatformIDsKHR(size, platforms, count);
}
ANYCL_STUB_EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void* value,
                                           size_t* size_ret) {
  return anycl::stub::clGetPlatformInfo(platform, what, size, value, size_ret);
}
ANYCL_STUB_EXPORT void* clGetExtensionFunctionAddress(const char* name) {
  return anycl::stub::clGetExtensionFunctionAddress(name);
}
}
