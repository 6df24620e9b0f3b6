/// \file  Files built for devices: what `anycl build` and `anycl cache warm` do.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "anycl/context/context.hpp"
#include "anycl/program/program.hpp"
#include "kernel_source.hpp"

namespace anycl::command {

struct BuildOrder {
  std::vector<std::string> files;
  SourceOptions sources;
  std::string selection;     ///< of devices
  bool all_drivers = false;  ///< every device under each of its drivers

  /// Adds FILE..., -D, -I, --device and --all-drivers. Must live while the command line is parsed.
  void add_to(CLI::App& parser);

  /// The devices to build for.
  /// \throws InvalidArgument, NoDevice
  [[nodiscard]] std::vector<Device> devices() const;

  /// A process of its own, unless ANYCL_BUILD=inline: a source that crashes a compiler shall not take the others with it.
  [[nodiscard]] static BuildPlace place();
};

/// A file built for one device, or not.
struct ProgramBuild {
  std::string file;
  Device device;
  std::optional<Program> program{};      ///< empty when its source could not be read as one
  std::vector<BuildMessage> messages{};  ///< all that was said; with an error where it failed
  std::vector<KernelInfo> kernels{};
  std::string failure{};  ///< one line; empty when it was built
  std::string failure_kind{};

  [[nodiscard]] bool failed() const noexcept { return !failure.empty(); }

  /// \param error  an anycl::Error
  void fail(const std::exception& error);
};

/// Builds all files for all devices of `context`, several at once; one that fails stops no other. `done` is told of each file
/// in turn, with its builds in the order of the devices.
/// \throws InvalidArgument  for a definition; IoError for a file that cannot be read. Nothing is built then.
void build_programs(const BuildOrder& order, Context& context,
                    const std::function<void(std::span<ProgramBuild>)>& done);

/// What to call each device in a line or a file's name: its driver, "pocl", and a number where that has several, "amd-1".
[[nodiscard]] std::vector<std::string> short_names(std::span<const Device> devices);

/// Writes to stderr what the compilers said of one file.
/// \param names  of the devices, as `short_names`
void print_diagnostics(std::span<const ProgramBuild> builds, std::span<const std::string> names);

}  // namespace anycl::command
