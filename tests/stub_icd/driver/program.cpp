#include "program.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine.hpp"

namespace anycl::stub {
namespace {

constexpr std::string_view kMagic = "anycl stub binary 1\n";

/// FNV-1a, to notice damage.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return sum;
}

std::string hex(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// Cuts the first line off.
std::string take_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string line(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return line;
}

/// Takes memory until there is no more, and ends the process as most compilers do then.
[[noreturn]] void devour_memory() {
  constexpr std::size_t kBlock = std::size_t{16} << 20;
  while (void* block = std::malloc(kBlock)) std::memset(block, 1, kBlock);
  std::fputs("out of memory\n", stderr);
  std::abort();
}

/// What the settings do to every build. Gives why this one fails; nothing when it may go on.
/// \param options  of a build from source; a build from a binary has no compiler that could crash by what it finds there
std::optional<std::string> obey_settings(bool from_binary, const std::string& options) {
  const Settings& settings = machine().settings;
  const std::uint64_t number = machine().builds_begun.fetch_add(1, std::memory_order_relaxed) + 1;
  switch (settings.build) {
    case Settings::Build::good:
      break;
    case Settings::Build::never:
      hang();
    case Settings::Build::crash:
      std::raise(SIGSEGV);
      break;
    case Settings::Build::crash_optimised:
      if (!from_binary && options.find("-cl-opt-disable") == std::string::npos) std::raise(SIGSEGV);
      break;
    case Settings::Build::devour:
      if (!from_binary) devour_memory();
      break;
    case Settings::Build::slow:
      spend_seconds(settings.build_seconds);
      break;
    case Settings::Build::fail:
      return "build=fail";
    case Settings::Build::fail_first:
      if (number <= settings.failing_builds) return "build=fail-first:" + std::to_string(settings.failing_builds);
      break;
  }
  if (from_binary && settings.binary == Settings::Binary::refused_late) return "binary=late-refuse";
  return std::nullopt;
}

std::string line_of(const SourceError& error) {
  return error.place.file + ":" + std::to_string(error.place.line) + ":" + std::to_string(error.place.column) +
         ": error: " + error.message + "\n1 error generated.\n";
}

/// \throws SourceError
BuiltKernels compile(std::string_view source, std::string_view options) {
  const auto tokens = preprocess(source, options);
  check_tokens(tokens);
  ProgramDeclarations program = read_declarations(tokens);
  BuiltKernels kernels;
  for (KernelDeclaration& kernel : program.kernels) {
    auto builtin = find_builtin(kernel, program);
    kernels.push_back(std::make_shared<const BuiltKernel>(BuiltKernel{std::move(kernel), std::move(builtin)}));
  }
  return kernels;
}

}  // namespace

std::string write_binary(const ProgramBinary& binary) {
  const std::string content = binary.device_name + '\n' + binary.options + '\n' + binary.source;
  return std::string(kMagic) + hex(checksum(content)) + '\n' + content;
}

std::optional<ProgramBinary> read_binary(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  bytes.remove_prefix(kMagic.size());
  const std::string sum = take_line(bytes);
  if (sum != hex(checksum(bytes))) return std::nullopt;
  ProgramBinary binary;
  binary.device_name = take_line(bytes);
  binary.options = take_line(bytes);
  binary.source = bytes;
  return binary;
}

Program::Program(Ref<Context> its_context, std::string its_source)
    : Object(kKind), context(std::move(its_context)), devices(context->devices), source(std::move(its_source)) {
  for (const Ref<Device>& device : devices) builds_[device.get()];
}

Program::Program(Ref<Context> its_context, const std::vector<Ref<Device>>& its_devices,
                 std::vector<ProgramBinary> binaries)
    : Object(kKind), context(std::move(its_context)), devices(its_devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) builds_[devices[i].get()].given = std::move(binaries[i]);
}

void Program::begin_build(const std::vector<Ref<Device>>& for_devices, const std::string& options) {
  const std::lock_guard lock(mutex_);
  require(kernels_out_ == 0, CL_INVALID_OPERATION);
  for (const Ref<Device>& device : for_devices) {
    require(builds_.contains(device.get()), CL_INVALID_DEVICE);
    require(builds_[device.get()].status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
  }
  for (const Ref<Device>& device : for_devices) {
    DeviceBuild& build = builds_[device.get()];
    build.status = CL_BUILD_IN_PROGRESS;
    build.options = options;
    build.log.clear();
    build.kernels.clear();
  }
}

cl_int Program::build(const std::vector<Ref<Device>>& for_devices) {
  bool failed = false;
  for (const Ref<Device>& device : for_devices) {
    DeviceBuild build = built(build_for(*device));
    failed = failed || build.status != CL_BUILD_SUCCESS;
    const std::lock_guard lock(mutex_);
    builds_[device.get()] = std::move(build);
  }
  return failed ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

DeviceBuild Program::built(DeviceBuild build) const {
  build.status = CL_BUILD_ERROR;
  if (const auto refusal = obey_settings(build.given.has_value(), build.options)) {
    build.log = "error: " + *refusal + "\n";
    return build;
  }
  try {
    build.kernels = build.given ? compile(build.given->source, build.given->options) : compile(source, build.options);
    build.status = CL_BUILD_SUCCESS;
  } catch (const SourceError& error) {
    build.log = line_of(error);
  }
  return build;
}

DeviceBuild Program::build_for(const Device& device) const {
  const std::lock_guard lock(mutex_);
  const auto found = builds_.find(&device);
  require(found != builds_.end(), CL_INVALID_DEVICE);
  return found->second;
}

cl_build_status Program::build_status(const Device& device) const {
  const std::lock_guard lock(mutex_);
  const auto found = builds_.find(&device);
  return found == builds_.end() ? CL_BUILD_NONE : found->second.status;
}

BuiltKernels Program::kernels() const {
  const std::lock_guard lock(mutex_);
  for (const Ref<Device>& device : devices) {
    const DeviceBuild& build = builds_.at(device.get());
    if (build.status == CL_BUILD_SUCCESS) return build.kernels;
  }
  throw Failure{CL_INVALID_PROGRAM_EXECUTABLE};
}

std::string Program::binary_for(const Device& device) const {
  const DeviceBuild build = build_for(device);
  if (build.given) return write_binary(*build.given);
  if (build.status != CL_BUILD_SUCCESS) return {};
  return write_binary({device.name, build.options, source});
}

}  // namespace anycl::stub
