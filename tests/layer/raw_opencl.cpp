#include "raw_opencl.hpp"

#include <dlfcn.h>

#include <stdexcept>

#include "entries.hpp"

namespace anycl::test {

const cl_icd_dispatch& cl() {
  static const cl_icd_dispatch table = [] {
    void* loader = ::dlopen("libOpenCL.so.1", RTLD_NOW);
    if (loader == nullptr) throw std::runtime_error("libOpenCL.so.1 cannot be opened");
    cl_icd_dispatch entries{};
#define ANYCL_RAW_FIND(name) entries.name = reinterpret_cast<decltype(cl_icd_dispatch::name)>(::dlsym(loader, #name));
    ANYCL_LAYER_ENTRIES(ANYCL_RAW_FIND)
#undef ANYCL_RAW_FIND
    return entries;
  }();
  return table;
}

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(code));
}

RawRig::RawRig(cl_command_queue_properties properties) {
  check(cl().clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int code = CL_SUCCESS;
  context = Owned(cl().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  queue = another_queue(properties);
}

Owned<cl_mem> RawRig::buffer(std::size_t size_bytes) const {
  cl_int code = CL_SUCCESS;
  Owned buffer(cl().clCreateBuffer(context, CL_MEM_READ_WRITE, size_bytes, nullptr, &code));
  check(code, "clCreateBuffer");
  return buffer;
}

Owned<cl_mem> RawRig::buffer_of(const std::vector<std::uint32_t>& content) const {
  Owned made = buffer(content.size() * sizeof(content[0]));
  check(cl().clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, content.size() * sizeof(content[0]), content.data(), 0,
                                  nullptr, nullptr),
        "clEnqueueWriteBuffer");
  // Intel's blocking write promises only that the host's memory is free again: other queues may still see old bytes.
  check(cl().clFinish(queue), "clFinish");
  return made;
}

Owned<cl_command_queue> RawRig::another_queue(cl_command_queue_properties properties) const {
  cl_int code = CL_SUCCESS;
  Owned made(cl().clCreateCommandQueue(context, device, properties, &code));
  check(code, "clCreateCommandQueue");
  return made;
}

Owned<cl_program> RawRig::program(const std::string& source) const {
  const char* text = source.c_str();
  cl_int code = CL_SUCCESS;
  Owned made(cl().clCreateProgramWithSource(context, 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  check(cl().clBuildProgram(made, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return made;
}

Owned<cl_event> RawRig::write(cl_command_queue to, cl_mem buffer, const std::uint32_t& value) const {
  Owned<cl_event> event;
  check(cl().clEnqueueWriteBuffer(to, buffer, CL_FALSE, 0, sizeof(value), &value, 0, nullptr, event.out()),
        "clEnqueueWriteBuffer");
  return event;
}

std::uint32_t RawRig::read(cl_mem buffer) const {
  std::uint32_t value = 0;
  check(cl().clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return value;
}

Owned<cl_kernel> make_kernel(cl_program program, const char* name) {
  cl_int code = CL_SUCCESS;
  Owned made(cl().clCreateKernel(program, name, &code));
  check(code, "clCreateKernel");
  return made;
}

cl_int status_of(cl_event event) { return info<cl_int>(cl().clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, event); }

}  // namespace anycl::test
