#include "kernel.hpp"

#include <cstring>

namespace anycl::stub {
namespace {

void set_local(SetArgument& argument, std::size_t size, const void* value) {
  require(size != 0, CL_INVALID_ARG_SIZE);
  require(value == nullptr, CL_INVALID_ARG_VALUE);
  argument.value.local_bytes = size;
}

void set_memory(SetArgument& argument, std::size_t size, const void* value) {
  require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
  cl_mem memory = nullptr;
  if (value != nullptr) std::memcpy(static_cast<void*>(&memory), value, sizeof memory);
  if (memory != nullptr) static_cast<void>(object_of<Memory>(memory));
  argument.memory = memory;
}

void set_value(SetArgument& argument, const Parameter& parameter, std::size_t size, const void* value) {
  require(size != 0 && (parameter.size_bytes == 0 || size == parameter.size_bytes), CL_INVALID_ARG_SIZE);
  require(value != nullptr, CL_INVALID_ARG_VALUE);
  const auto* bytes = static_cast<const std::byte*>(value);
  if (size <= argument.value.small.size()) {
    std::memcpy(argument.value.small.data(), bytes, size);
    argument.value.large.clear();
  } else {
    argument.value.large.assign(bytes, bytes + size);
  }
}

}  // namespace

Kernel::Kernel(Ref<Program> its_program, std::shared_ptr<const BuiltKernel> its_code)
    : Object(kKind),
      program(std::move(its_program)),
      code(std::move(its_code)),
      arguments(code->declaration.parameters.size()) {
  program->add_kernel();
}

Kernel::~Kernel() { program->drop_kernel(); }

void Kernel::set(cl_uint index, std::size_t size, const void* value) {
  require(index < arguments.size(), CL_INVALID_ARG_INDEX);
  const Parameter& parameter = code->declaration.parameters[index];
  SetArgument& argument = arguments[index];
  if (parameter.is_local())
    set_local(argument, size, value);
  else if (parameter.is_memory())
    set_memory(argument, size, value);
  else
    set_value(argument, parameter, size, value);
  argument.is_set = true;
}

std::size_t Kernel::local_bytes() const noexcept {
  std::size_t bytes = code->declaration.local_bytes;
  for (const SetArgument& argument : arguments) bytes += argument.value.local_bytes;
  return bytes;
}

}  // namespace anycl::stub
