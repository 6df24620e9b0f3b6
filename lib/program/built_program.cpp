#include "program/built_program.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"
#include "device/check.hpp"
#include "device/device_record.hpp"
#include "device/driver_cache.hpp"
#include "device/info.hpp"
#include "program/build_failure.hpp"
#include "program/build_log.hpp"
#include "program/native_program.hpp"

namespace anycl::detail {
namespace {

cl_device_id id_of(const Device& device) { return device.record().device; }

/// Null for a whole device. Asked of the driver: devices that discovery finds may be parts too.
cl_device_id parent_of(cl_device_id device) {
  return read_value<cl_device_id>(info(&clGetDeviceInfo, device, CL_DEVICE_PARENT_DEVICE)).value_or(nullptr);
}

/// Where `device` is in what a driver lists. PoCL lists the whole device for a part of one, or of a part of one.
std::optional<std::size_t> place_of(cl_device_id device, const std::vector<cl_device_id>& listed) {
  constexpr int kDeepest = 16;  // a driver may name a device its own parent
  for (int depth = 0; device != nullptr && depth < kDeepest; ++depth, device = parent_of(device))
    if (const auto found = std::find(listed.begin(), listed.end(), device); found != listed.end())
      return static_cast<std::size_t>(found - listed.begin());
  return std::nullopt;
}

std::string build_log(cl_program program, const Device& device) {
  return read_text(info(&clGetProgramBuildInfo, program, id_of(device), CL_PROGRAM_BUILD_LOG)).value_or("");
}

}  // namespace

BuiltProgram::Compiled BuiltProgram::compile(NativeContext& context, const Device& device, const CompilerInput& input,
                                             const std::string& options) {
  const BuildTurn turn(device.record());
  Compiled compiled;
  compiled.handle = make_native_program(context.handle(), device, input);
  const cl_device_id id = id_of(device);
  compiled.code = clBuildProgram(compiled.handle(), 1, &id, options.c_str(), nullptr, nullptr);
  compiled.log = build_log(compiled.handle(), device);
  return compiled;
}

std::shared_ptr<BuiltProgram> BuiltProgram::from_source(std::shared_ptr<NativeContext> context, const Device& device,
                                                        const BuildInput& input, const std::string& options) {
  const std::string_view name = input.source().name();
  Compiled compiled = compile(*context, device, input.for_compiler(), options);
  if (compiled.code != CL_SUCCESS) throw_build_failure(compiled.code, compiled.log, device, input, options);
  if (!compiled.log.empty()) log::debug("build of {}: {}", input.label(), compiled.log);
  return std::make_shared<BuiltProgram>(std::move(context), device, name, std::move(compiled.handle),
                                        read_build_log(compiled.log));
}

std::shared_ptr<BuiltProgram> BuiltProgram::from_entry(std::shared_ptr<NativeContext> context, const Device& device,
                                                       const Source& source, CacheEntry entry,
                                                       const std::string& options) {
  const BuildTurn turn(device.record());
  const cl_device_id id = id_of(device);
  const size_t size = entry.binary.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(entry.binary.data());
  cl_int code = CL_SUCCESS;
  cl_int device_code = CL_SUCCESS;
  cl::Program handle(clCreateProgramWithBinary(context->handle(), 1, &id, &size, &bytes, &device_code, &code));
  if (code == CL_SUCCESS) code = device_code;
  if (code == CL_SUCCESS) code = clBuildProgram(handle(), 1, &id, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    log::warn("{} refuses the stored build of {} ({}); building from source", device.name(), source.name(),
              describe_code(code));
    return nullptr;
  }
  auto program = std::make_shared<BuiltProgram>(std::move(context), device, source.name(), std::move(handle),
                                                std::move(entry.messages));
  program->stored_facts_ = std::move(entry.kernels);
  return program;
}

BuiltProgram::BuiltProgram(std::shared_ptr<NativeContext> context, Device device, std::string_view source_name,
                           cl::Program handle, std::vector<BuildMessage> messages)
    : context_(std::move(context)),
      device_(std::move(device)),
      source_name_(source_name),
      handle_(std::move(handle)),
      messages_(std::move(messages)) {}

BuiltProgram::~BuiltProgram() {
  kernels_.clear();  // before their program
  release(handle_, context_->lifetime());
}

BuiltKernel& BuiltProgram::kernel(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) return *known->second;
  return *kernels_.emplace(name, describe_kernel(name)).first->second;
}

std::uint64_t BuiltProgram::uses() {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [name, kernel] : kernels_) sum += kernel->pool.uses();
  return sum;
}

bool BuiltProgram::entry_blocks() const noexcept { return device_.record().faults.binary_query_blocks; }

std::optional<std::vector<std::string>> BuiltProgram::kernel_names() const {
  const auto all = read_text(info(&clGetProgramInfo, handle_(), CL_PROGRAM_KERNEL_NAMES));
  std::vector<std::string> names;
  if (!all) {  // Intel's driver refuses to name none
    const auto count = read_value<size_t>(info(&clGetProgramInfo, handle_(), CL_PROGRAM_NUM_KERNELS));
    return count == size_t{0} ? std::optional(std::move(names)) : std::nullopt;
  }
  for (std::size_t begin = 0; begin < all->size();) {
    const std::size_t end = std::min(all->find(';', begin), all->size());
    if (end > begin) names.push_back(all->substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::unique_ptr<BuiltKernel> BuiltProgram::describe_kernel(const std::string& name) {
  auto kernel = std::make_unique<BuiltKernel>(*this, handle_(), name, context_->lifetime());
  const auto names = kernel_names().value_or(std::vector<std::string>());
  if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end())
    throw InvalidArgument(
        fmt::format("kernel '{}' is not in {}; it has: {}", name, source_name_, fmt::join(names, ", ")));
  cl_kernel native = kernel->pool.take();
  kernel->pool.give(native);
  const auto stored = stored_facts_.find(name);
  static_cast<KernelFacts&>(*kernel) =
      read_kernel_facts(native, name, device_, stored != stored_facts_.end() ? &stored->second : nullptr);
  return kernel;
}

std::vector<std::byte> BuiltProgram::binary() const {
  const auto devices = read_array<cl_device_id>(info(&clGetProgramInfo, handle_(), CL_PROGRAM_DEVICES));
  const auto sizes = read_array<size_t>(info(&clGetProgramInfo, handle_(), CL_PROGRAM_BINARY_SIZES));
  if (!devices || !sizes || devices->size() != sizes->size()) return {};
  const auto place = place_of(id_of(device_), *devices);  // the whole's binary is as good as a part's
  if (!place || (*sizes)[*place] > kLargestEntry) return {};
  // The driver writes one binary per non-null pointer: only ours is asked for.
  std::vector<std::byte> bytes((*sizes)[*place]);
  std::vector<unsigned char*> places(devices->size(), nullptr);
  places[*place] = reinterpret_cast<unsigned char*>(bytes.data());
  if (bytes.empty() || clGetProgramInfo(handle_(), CL_PROGRAM_BINARIES, places.size() * sizeof(unsigned char*),
                                        places.data(), nullptr) != CL_SUCCESS)
    return {};
  return bytes;
}

std::map<std::string, KernelFacts> BuiltProgram::facts() {
  std::map<std::string, KernelFacts> all;
  for (const std::string& name : kernel_names().value_or(std::vector<std::string>())) all.emplace(name, kernel(name));
  return all;
}

std::optional<CacheEntry> BuiltProgram::make_entry() {
  CacheEntry entry;
  entry.kernels = facts();
  entry.messages = messages_;
  entry.binary = binary();
  if (entry.binary.empty()) return std::nullopt;
  return entry;
}

}  // namespace anycl::detail
