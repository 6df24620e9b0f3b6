#include "device/fake_machine.hpp"

#include <algorithm>

namespace anycl::test {
namespace {

std::vector<FakePlatform>* platforms_in_force = nullptr;
cl_int refusal_in_force = CL_SUCCESS;

cl_int give(const std::string& bytes, size_t size, void* value, size_t* size_ret) {
  if (size_ret != nullptr) *size_ret = bytes.size();
  if (value == nullptr) return CL_SUCCESS;
  if (size < bytes.size()) return CL_INVALID_VALUE;
  std::memcpy(value, bytes.data(), bytes.size());
  return CL_SUCCESS;
}

template <class Id, class Thing>
cl_int list(std::vector<Thing>& things, cl_int refusal, cl_uint size, Id* ids, cl_uint* count) {
  if (things.empty()) {
    if (count != nullptr) *count = kPoison;
    return refusal;
  }
  if (count != nullptr) *count = static_cast<cl_uint>(things.size());
  for (std::size_t i = 0; ids != nullptr && i < std::min<std::size_t>(size, things.size()); ++i)
    ids[i] = reinterpret_cast<Id>(&things[i]);
  return CL_SUCCESS;
}

detail::EntryPoints fake_table() {
  detail::EntryPoints table;
  table.library = "made up";
  table.clGetPlatformIDs = [](cl_uint size, cl_platform_id* ids, cl_uint* count) {
    return list(*platforms_in_force, refusal_in_force, size, ids, count);
  };
  table.clGetPlatformInfo = [](cl_platform_id id, cl_platform_info what, size_t size, void* value, size_t* size_ret) {
    const auto& platform = *reinterpret_cast<FakePlatform*>(id);
    return what == CL_PLATFORM_NAME ? give(platform.name + '\0', size, value, size_ret) : CL_INVALID_VALUE;
  };
  table.clGetDeviceIDs = [](cl_platform_id id, cl_device_type, cl_uint size, cl_device_id* ids, cl_uint* count) {
    auto& platform = *reinterpret_cast<FakePlatform*>(id);
    return list(platform.devices, platform.refusal, size, ids, count);
  };
  table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value, size_t* size_ret) {
    const auto& answers = reinterpret_cast<FakeDevice*>(id)->answers;
    const auto found = answers.find(what);
    return found != answers.end() ? give(found->second, size, value, size_ret) : CL_INVALID_VALUE;
  };
  return table;
}

}  // namespace

FakeDevice plain_device(const std::string& name, cl_device_type type) {
  FakeDevice device;
  device.text(CL_DEVICE_NAME, name)
      .text(CL_DEVICE_VENDOR, "Maker")
      .text(CL_DRIVER_VERSION, "1.0")
      .text(CL_DEVICE_VERSION, "OpenCL 1.0 fake")
      .text(CL_DEVICE_EXTENSIONS, "")
      .value<cl_device_type>(CL_DEVICE_TYPE, type)
      .value<cl_bool>(CL_DEVICE_AVAILABLE, CL_TRUE)
      .value<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE)
      .value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS, 4);
  return device;
}

FakeMachine::FakeMachine(std::vector<FakePlatform> platforms, cl_int refusal_without_platforms)
    : platforms_(std::move(platforms)) {
  static const detail::EntryPoints table = fake_table();
  platforms_in_force = &platforms_;
  refusal_in_force = refusal_without_platforms;
  scope_ = std::make_unique<detail::ScopedEntryPoints>(table);
}

FakeMachine::~FakeMachine() {
  scope_.reset();
  platforms_in_force = nullptr;
}

}  // namespace anycl::test
