#include "stub_icd/raw_opencl.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "stub_icd/driver/dispatch.hpp"
#include "support/stub.hpp"

namespace anycl::test {
namespace {

cl_icd_dispatch open_loader() {
  void* loader = ::dlopen("libOpenCL.so.1", RTLD_NOW);
  if (loader == nullptr) throw std::runtime_error(::dlerror());
  cl_icd_dispatch table{};
#define ANYCL_FIND(name) table.name = reinterpret_cast<decltype(table.name)>(::dlsym(loader, #name));
  ANYCL_STUB_ENTRIES(ANYCL_FIND)
#undef ANYCL_FIND
  return table;
}

/// Tells the tests that a test runs in processes of their own that they inherit the stubs.
constexpr const char* kShown = "ANYCL_TEST_STUBS_SHOWN";

/// The stubs that tests of this program talk to, all in one process.
void fill_with_stubs(StubFolder& folder) {
  const auto add = [&folder](const std::string& name, const std::string& settings) {
    folder.add(name, "platform-name=" + name + ";" + settings);
  };
  add("plain", "");
  add("build-fail", "build=fail");
  add("build-fail-first", "build=fail-first:2");
  add("build-slow", "build=slow:0.2");
  add("build-never", "build=never");
  add("kernel-ns", "kernel-ns=20000000");
  add("exec-fail", "exec=fail:3");
  add("finish-never", "finish=never");
  add("memory", "memory=1M");
  add("binary-refuse", "binary=refuse");
  add("binary-late-refuse", "binary=late-refuse");
  add("link", "link=modelled;devices=nvidia-gtx-1060");
  add("named", "device-name=odd one;driver-version=7.8.9");
  add("no-devices", "devices=none");
}

}  // namespace

const cl_icd_dispatch& cl() {
  static const cl_icd_dispatch table = open_loader();
  return table;
}

void show_stubs() {
  if (std::getenv(kShown) != nullptr) return;
  static StubFolder folder;
  fill_with_stubs(folder);
  folder.show_to_this_process();
  ::setenv(kShown, "1", 1);
}

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  cl().clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> found(count);
  if (count != 0) cl().clGetPlatformIDs(count, found.data(), nullptr);
  return found;
}

std::string platform_name(cl_platform_id platform) {
  std::size_t size = 0;
  cl().clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  cl().clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, name.data(), nullptr);
  return name.c_str();
}

cl_platform_id platform_named(const std::string& name) {
  show_stubs();
  for (cl_platform_id platform : platforms())
    if (platform_name(platform) == name) return platform;
  throw std::runtime_error("no platform is named " + name);
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> found(count);
  if (count != 0) cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr);
  return found;
}

RawRig::RawRig(const std::string& stub, cl_command_queue_properties properties)
    : device(devices_of(platform_named(stub)).at(0)),
      context(cl().clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr)),
      queue(cl().clCreateCommandQueue(context, device, properties, nullptr)) {
  if (queue == nullptr) throw std::runtime_error("no queue on " + stub);
}

RawRig::~RawRig() {
  for (cl_event event : events_) cl().clReleaseEvent(event);
  for (cl_kernel kernel : kernels_) cl().clReleaseKernel(kernel);
  for (cl_program program : programs_) cl().clReleaseProgram(program);
  for (cl_mem buffer : buffers_) cl().clReleaseMemObject(buffer);
  cl().clReleaseCommandQueue(queue);
  cl().clReleaseContext(context);
}

cl_mem RawRig::buffer(std::size_t size_bytes, cl_mem_flags flags) {
  buffers_.push_back(cl().clCreateBuffer(context, flags, size_bytes, nullptr, nullptr));
  if (buffers_.back() == nullptr) throw std::runtime_error("no buffer");
  return buffers_.back();
}

cl_program RawRig::program(const char* source) {
  programs_.push_back(cl().clCreateProgramWithSource(context, 1, &source, nullptr, nullptr));
  return programs_.back();
}

cl_int RawRig::build(cl_program program) const {
  return cl().clBuildProgram(program, 1, &device, "", nullptr, nullptr);
}

std::string RawRig::build_log(cl_program program) const {
  std::size_t size = 0;
  cl().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  cl().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.c_str();
}

cl_kernel RawRig::kernel(const char* source, const char* name) {
  cl_program built = program(source);
  if (build(built) != CL_SUCCESS) throw std::runtime_error("not built: " + build_log(built));
  kernels_.push_back(cl().clCreateKernel(built, name, nullptr));
  return kernels_.back();
}

cl_event RawRig::user_event() {
  events_.push_back(cl().clCreateUserEvent(context, nullptr));
  return events_.back();
}

cl_int RawRig::status_of(cl_event event) {
  cl_int status = -9999;
  cl().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

cl_int RawRig::enqueue(cl_kernel kernel, std::size_t size, cl_event* event, const std::vector<cl_event>& waits) const {
  return cl().clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, static_cast<cl_uint>(waits.size()),
                                     waits.empty() ? nullptr : waits.data(), event);
}

}  // namespace anycl::test
