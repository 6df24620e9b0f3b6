// Programs.
#include <algorithm>
#include <cstring>
#include <thread>

#include "dispatch.hpp"
#include "entry.hpp"
#include "program.hpp"

namespace anycl::stub {
namespace {

using BuildNotify = void(CL_CALLBACK*)(cl_program, void*);

/// The devices that a call names, checked to be among `among`; all of those when it names none.
std::vector<Ref<Device>> read_devices(const std::vector<Ref<Device>>& among, cl_uint count, const cl_device_id* ids) {
  require((count == 0) == (ids == nullptr), CL_INVALID_VALUE);
  if (count == 0) return among;
  std::vector<Ref<Device>> devices;
  for (cl_uint i = 0; i < count; ++i) {
    Device& device = object_of<Device>(ids[i]);
    const auto same = [&](const Ref<Device>& known) { return known.get() == &device; };
    require(std::any_of(among.begin(), among.end(), same), CL_INVALID_DEVICE);
    devices.emplace_back(device);
  }
  return devices;
}

cl_program create_from_source(cl_context context, cl_uint count, const char** strings, const std::size_t* lengths) {
  require(count != 0 && strings != nullptr, CL_INVALID_VALUE);
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    require(strings[i] != nullptr, CL_INVALID_VALUE);
    const bool ends_with_zero = lengths == nullptr || lengths[i] == 0;
    source.append(strings[i], ends_with_zero ? std::strlen(strings[i]) : lengths[i]);
  }
  return publish(make<Program>(Ref(object_of<Context>(context)), std::move(source)));
}

/// One binary, if it is whole and for this device.
ProgramBinary read_one(const Device& device, const unsigned char* bytes, std::size_t size) {
  require(bytes != nullptr && size != 0, CL_INVALID_VALUE);
  require(machine().settings.binary != Settings::Binary::refused, CL_INVALID_BINARY);
  auto binary = read_binary({reinterpret_cast<const char*>(bytes), size});
  require(binary && binary->device_name == device.name, CL_INVALID_BINARY);
  return std::move(*binary);
}

cl_program create_from_binaries(cl_context handle, cl_uint count, const cl_device_id* ids, const std::size_t* sizes,
                                const unsigned char** binaries, cl_int* statuses) {
  Context& context = object_of<Context>(handle);
  require(count != 0 && ids != nullptr && sizes != nullptr && binaries != nullptr, CL_INVALID_VALUE);
  const auto devices = read_devices(context.devices, count, ids);
  std::vector<ProgramBinary> read(count);
  cl_int first_failure = CL_SUCCESS;
  for (cl_uint i = 0; i < count; ++i) {
    const cl_int code =
        serve([&] { read[i] = read_one(*devices[i], binaries[i], sizes[i]); }, "clCreateProgramWithBinary");
    if (statuses != nullptr) statuses[i] = code;
    if (first_failure == CL_SUCCESS) first_failure = code;
  }
  require(first_failure == CL_SUCCESS, first_failure);
  return publish(make<Program>(Ref(context), devices, std::move(read)));
}

/// Builds here, or on a thread of its own when the program wants to be told.
void build(Program& program, std::vector<Ref<Device>> devices, const std::string& options, BuildNotify notify,
           void* data) {
  program.begin_build(devices, options);
  if (notify == nullptr) {
    const cl_int code = program.build(devices);
    require(code == CL_SUCCESS, code);
    return;
  }
  std::thread([owner = Ref(program), devices = std::move(devices), notify, data] {
    static_cast<void>(owner->build(devices));
    notify(handle_of(*owner), data);
  }).detach();
}

std::string names_of(const BuiltKernels& kernels) {
  std::string names;
  for (const auto& kernel : kernels) names += (names.empty() ? "" : ";") + kernel->declaration.name;
  return names;
}

std::vector<std::string> binaries_of(const Program& program) {
  std::vector<std::string> binaries;
  for (const Ref<Device>& device : program.devices) binaries.push_back(program.binary_for(*device));
  return binaries;
}

/// The program brings a pointer for each device; null ones are left out.
void give_binaries(const Program& program, const Answer& answer) {
  const auto binaries = binaries_of(program);
  auto* places = static_cast<unsigned char**>(answer.place(binaries.size() * sizeof(unsigned char*)));
  if (places == nullptr) return;
  for (std::size_t i = 0; i < binaries.size(); ++i)
    if (places[i] != nullptr) std::memcpy(places[i], binaries[i].data(), binaries[i].size());
}

void answer_program(const Program& program, cl_program_info what, const Answer& answer) {
  switch (what) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return answer.value(program.references());
    case CL_PROGRAM_CONTEXT:
      return answer.value(handle_of(*program.context));
    case CL_PROGRAM_NUM_DEVICES:
      return answer.value(static_cast<cl_uint>(program.devices.size()));
    case CL_PROGRAM_DEVICES: {
      std::vector<cl_device_id> ids;
      for (const Ref<Device>& device : program.devices) ids.push_back(handle_of(*device));
      return answer.list(ids);
    }
    case CL_PROGRAM_SOURCE:
      return answer.text(program.source);
    case CL_PROGRAM_BINARY_SIZES: {
      std::vector<std::size_t> sizes;
      for (const std::string& binary : binaries_of(program)) sizes.push_back(binary.size());
      return answer.list(sizes);
    }
    case CL_PROGRAM_BINARIES:
      return give_binaries(program, answer);
    case CL_PROGRAM_NUM_KERNELS:
      return answer.value(program.kernels().size());
    case CL_PROGRAM_KERNEL_NAMES:
      return answer.text(names_of(program.kernels()));
    case CL_PROGRAM_IL:
      return answer.list(std::vector<char>{});
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

cl_program_binary_type binary_type(const DeviceBuild& build) {
  return build.status == CL_BUILD_SUCCESS || build.given ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                                         : CL_PROGRAM_BINARY_TYPE_NONE;
}

void answer_build(const DeviceBuild& build, cl_program_build_info what, const Answer& answer) {
  switch (what) {
    case CL_PROGRAM_BUILD_STATUS:
      return answer.value(build.status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return answer.text(build.options);
    case CL_PROGRAM_BUILD_LOG:
      return answer.text(build.log);
    case CL_PROGRAM_BINARY_TYPE:
      return answer.value(binary_type(build));
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      return answer.value<std::size_t>(0);
    default:
      throw Failure{CL_INVALID_VALUE};
  }
}

}  // namespace

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                                     cl_int* code) {
  return serve_object(code, [&] { return create_from_source(context, count, strings, lengths); });
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const size_t* sizes, const unsigned char** binaries, cl_int* statuses,
                                     cl_int* code) {
  return serve_object(code, [&] { return create_from_binaries(context, count, devices, sizes, binaries, statuses); });
}

cl_int clRetainProgram(cl_program program) { return retain<Program>(program); }
cl_int clReleaseProgram(cl_program program) { return release<Program>(program); }

cl_int clBuildProgram(cl_program handle, cl_uint count, const cl_device_id* devices, const char* options,
                      BuildNotify notify, void* data) {
  return serve([&] {
    Program& program = object_of<Program>(handle);
    require(notify != nullptr || data == nullptr, CL_INVALID_VALUE);
    build(program, read_devices(program.devices, count, devices), options == nullptr ? "" : options, notify, data);
  });
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void* value, size_t* size_ret) {
  return serve([&] { answer_program(object_of<Program>(program), what, {size, value, size_ret}); });
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                             void* value, size_t* size_ret) {
  return serve([&] {
    answer_build(object_of<Program>(program).build_for(object_of<Device>(device)), what, {size, value, size_ret});
  });
}

}  // namespace anycl::stub
