// Kernels, but for running them.
#include "dispatch.hpp"
#include "entry.hpp"
#include "kernel.hpp"

namespace anycl::stub {
namespace {

cl_kernel create_kernel(cl_program handle, const char* name) {
  Program& program = object_of<Program>(handle);
  const BuiltKernels kernels = program.kernels();
  require(name != nullptr, CL_INVALID_VALUE);
  for (const auto& kernel : kernels)
    if (kernel->declaration.name == name) return publish(make<Kernel>(Ref(program), kernel));
  throw Failure{CL_INVALID_KERNEL_NAME};
}

void create_all(cl_program handle, cl_uint size, cl_kernel* kernels, cl_uint* count) {
  Program& program = object_of<Program>(handle);
  const BuiltKernels built = program.kernels();
  require(kernels == nullptr || size >= built.size(), CL_INVALID_VALUE);
  for (std::size_t i = 0; kernels != nullptr && i < built.size(); ++i)
    kernels[i] = publish(make<Kernel>(Ref(program), built[i]));
  if (count != nullptr) *count = static_cast<cl_uint>(built.size());
}

cl_kernel clone_kernel(cl_kernel handle) {
  const Kernel& original = object_of<Kernel>(handle);
  Ref<Kernel> copy = make<Kernel>(original.program, original.code);
  copy->arguments = original.arguments;
  return publish(std::move(copy));
}

void answer_kernel(const Kernel& kernel, cl_kernel_info what, const Answer& answer) {
  switch (what) {
    case CL_KERNEL_FUNCTION_NAME:
      return answer.text(kernel.code->declaration.name);
    case CL_KERNEL_NUM_ARGS:
      return answer.value(static_cast<cl_uint>(kernel.arguments.size()));
    case CL_KERNEL_REFERENCE_COUNT:
      return answer.value(kernel.references());
    case CL_KERNEL_CONTEXT:
      return answer.value(handle_of(*kernel.program->context));
    case CL_KERNEL_PROGRAM:
      return answer.value(handle_of(*kernel.program));
    case CL_KERNEL_ATTRIBUTES:
      return answer.text(kernel.code->declaration.attributes);
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

void answer_argument(const Parameter& parameter, cl_kernel_arg_info what, const Answer& answer) {
  switch (what) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return answer.value(parameter.space);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
      return answer.value(parameter.access);
    case CL_KERNEL_ARG_TYPE_NAME:
      return answer.text(parameter.type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
      return answer.value(parameter.qualifiers);
    case CL_KERNEL_ARG_NAME:
      return answer.text(parameter.name);
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

/// The device that a query names; it may name none where there is just one.
const Device& device_of(const Kernel& kernel, cl_device_id handle) {
  const auto& devices = kernel.program->devices;
  if (handle == nullptr && devices.size() == 1) return *devices.front();
  Device& device = object_of<Device>(handle);
  static_cast<void>(kernel.program->build_for(device));  // refuses a device that is not the program's
  return device;
}

void answer_group(const Kernel& kernel, const Device& device, cl_kernel_work_group_info what, const Answer& answer) {
  switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
      return answer.value(device.model.max_group_size);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
      return answer.value(kernel.code->declaration.required_group);
    case CL_KERNEL_LOCAL_MEM_SIZE:
      return answer.value<cl_ulong>(kernel.local_bytes());
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return answer.value(device.model.preferred_multiple);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
      return answer.value<cl_ulong>(0);
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

}  // namespace

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* code) {
  return serve_object(code, [&] { return create_kernel(program, name); });
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint size, cl_kernel* kernels, cl_uint* count) {
  return serve([&] { create_all(program, size, kernels, count); });
}

cl_kernel clCloneKernel(cl_kernel kernel, cl_int* code) {
  return serve_object(code, [&] { return clone_kernel(kernel); });
}

cl_int clRetainKernel(cl_kernel kernel) { return retain<Kernel>(kernel); }
cl_int clReleaseKernel(cl_kernel kernel) { return release<Kernel>(kernel); }

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  return serve([&] { object_of<Kernel>(kernel).set(index, size, value); });
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_kernel(object_of<Kernel>(kernel), what, {size, value, size_ret}); });
}

cl_int clGetKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info what, size_t size, void* value,
                          size_t* size_ret) {
  return serve([&] {
    const auto& parameters = object_of<Kernel>(handle).code->declaration.parameters;
    require(index < parameters.size(), CL_INVALID_ARG_INDEX);
    answer_argument(parameters[index], what, {size, value, size_ret});
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                void* value, size_t* size_ret) {
  return serve([&] {
    const Kernel& kernel = object_of<Kernel>(handle);
    answer_group(kernel, device_of(kernel, device), what, {size, value, size_ret});
  });
}

}  // namespace anycl::stub
