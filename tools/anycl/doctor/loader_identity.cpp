#include "doctor/loader_identity.hpp"

#include "anycl/interop/opencl.hpp"
#include "base/os_library.hpp"

namespace anycl::command {
namespace {

// Source: ocl-icd's ocl_icd.h; the Khronos loader has taken the call over. No header of Khronos declares it.
using LoaderQuery = cl_uint;
constexpr LoaderQuery kVersion = 2;
constexpr LoaderQuery kName = 3;
constexpr LoaderQuery kVendor = 4;
using GetLoaderInfo = cl_int(CL_API_CALL*)(LoaderQuery what, size_t size, void* value, size_t* size_ret);

std::string answer(GetLoaderInfo ask, LoaderQuery what) {
  size_t size = 0;
  constexpr size_t kLongest = 1000;
  if (ask(what, 0, nullptr, &size) != CL_SUCCESS || size == 0 || size > kLongest) return {};
  std::string text(size, '\0');
  if (ask(what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  return text.substr(0, text.find('\0'));
}

}  // namespace

LoaderIdentity identify_loader(const std::string& file) {
  using FindExtension = void*(CL_API_CALL*)(const char* name);
  const os::Library loader = os::Library::open(file);
  const auto find = reinterpret_cast<FindExtension>(loader.find("clGetExtensionFunctionAddress"));
  if (find == nullptr) return {};
  const auto ask = reinterpret_cast<GetLoaderInfo>(find("clGetICDLoaderInfoOCLICD"));
  if (ask == nullptr) return {};
  const bool is_ocl_icd = answer(ask, kVendor).starts_with("OCL Icd");
  return {is_ocl_icd ? "ocl-icd" : answer(ask, kName), answer(ask, kVersion)};
}

}  // namespace anycl::command
