/// \file  A program: its text, and its build for each device.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builtin_kernels.hpp"
#include "context.hpp"
#include "kernel_declaration.hpp"

namespace anycl::stub {

/// A kernel of a built program.
struct BuiltKernel {
  KernelDeclaration declaration;
  std::unique_ptr<const Builtin> builtin;  ///< null: it does nothing
};

using BuiltKernels = std::vector<std::shared_ptr<const BuiltKernel>>;

/// What stands in a binary; the stub compiles nothing, so it is the source.
struct ProgramBinary {
  std::string device_name;
  std::string options;
  std::string source;
};

[[nodiscard]] std::string write_binary(const ProgramBinary& binary);
/// Nothing for bytes that are damaged or something else.
[[nodiscard]] std::optional<ProgramBinary> read_binary(std::string_view bytes);

/// How far the build for one device is.
struct DeviceBuild {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;
  std::string log;
  BuiltKernels kernels;
  std::optional<ProgramBinary> given;  ///< what the program was made from, if not from source
};

class Program : public Object {
 public:
  using Handle = cl_program;
  static constexpr ObjectKind kKind{"program", 0x70726f6772616d21, CL_INVALID_PROGRAM};

  /// From source, for all devices of the context.
  Program(Ref<Context> its_context, std::string its_source);
  /// From binaries, for the devices that they are for.
  Program(Ref<Context> its_context, const std::vector<Ref<Device>>& its_devices, std::vector<ProgramBinary> binaries);

  const Ref<Context> context;
  const std::vector<Ref<Device>> devices;
  const std::string source;  ///< empty for a program from binaries

  /// Builds for some devices. \throws Failure  CL_INVALID_OPERATION while kernels exist or another build goes on
  void begin_build(const std::vector<Ref<Device>>& for_devices, const std::string& options);
  [[nodiscard]] cl_int build(const std::vector<Ref<Device>>& for_devices);

  /// A copy, for builds change. \throws Failure  CL_INVALID_DEVICE
  [[nodiscard]] DeviceBuild build_for(const Device& device) const;
  [[nodiscard]] cl_build_status build_status(const Device& device) const;
  /// The kernels of the first device that has been built. \throws Failure  CL_INVALID_PROGRAM_EXECUTABLE when none has
  [[nodiscard]] BuiltKernels kernels() const;
  /// Empty when it is not built.
  [[nodiscard]] std::string binary_for(const Device& device) const;

  // How many kernels the program has given out.
  void add_kernel() noexcept { ++kernels_out_; }
  void drop_kernel() noexcept { --kernels_out_; }

 private:
  [[nodiscard]] DeviceBuild built(DeviceBuild build) const;

  mutable std::mutex mutex_;
  std::map<const Device*, DeviceBuild> builds_;
  std::atomic<int> kernels_out_{0};
};

}  // namespace anycl::stub
