#include "program_builds.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "anycl/device/selection.hpp"
#include "diagnostics.hpp"
#include "failure.hpp"

namespace anycl::command {
namespace {

bool is_error(const BuildMessage& message) { return message.severity == BuildMessage::Severity::error; }

/// A file as it was read: a source, or why it is none.
struct ReadFile {
  std::optional<Source> source;
  std::exception_ptr refusal;
};

ReadFile read(const std::string& file, const SourceOptions& options) {
  try {
    return {read_source(file, options), nullptr};
  } catch (const InvalidArgument&) {  // what is wrong stands in the file: a finding, as a compiler's error is
    return {std::nullopt, std::current_exception()};
  }
}

/// Runs `step`; an error of the library fails `build`.
template <class Step>
void attempt(ProgramBuild& build, Step&& step) {
  if (build.failed()) return;
  try {
    step();
  } catch (const Error& error) {
    build.fail(error);
  }
}

void finish(ProgramBuild& build, const Preparation& preparation) {
  attempt(build, [&] {
    preparation.wait();
    const Program& program = *build.program;
    build.messages = program.messages(build.device);
    for (const std::string& name : program.kernel_names(build.device))
      build.kernels.push_back(program.kernel(name).info(build.device));
  });
}

/// A file for each device, begun.
class FileBuilds {
 public:
  FileBuilds(const std::string& file, const ReadFile& read, Context& context, const BuildOptions& options) {
    std::optional<Program> program;
    if (read.source) program.emplace(context, *read.source, options);
    for (const Device& device : context.devices()) {
      ProgramBuild& build = builds_.emplace_back(ProgramBuild{file, device, program});
      Preparation& preparation = preparations_.emplace_back();
      attempt(build, [&] {
        if (read.refusal) std::rethrow_exception(read.refusal);
        preparation = program->prepare(device);
      });
    }
  }

  [[nodiscard]] std::span<ProgramBuild> finished() {
    for (std::size_t i = 0; i < builds_.size(); ++i) finish(builds_[i], preparations_[i]);
    return builds_;
  }

 private:
  std::vector<ProgramBuild> builds_;
  std::vector<Preparation> preparations_;
};

}  // namespace

void BuildOrder::add_to(CLI::App& parser) {
  parser.add_option("FILE", files, "OpenCL C, or SPIR-V modules")->required();
  sources.add_to(parser);
  auto* device = parser.add_option("--device", selection, "Build for these, for example gpu or intel,pocl");
  device->type_name("SELECTION");
  parser.add_flag("--all-drivers", all_drivers, "Build for every device, under each driver that has it")
      ->excludes(device);
}

std::vector<Device> BuildOrder::devices() const {
  std::vector<Device> devices;
  for (const ChosenDevice& chosen : choose_devices(discover(), all_drivers ? "*" : selection))
    devices.push_back(chosen.device);
  return devices;
}

BuildPlace BuildOrder::place() {
  const char* wish = std::getenv("ANYCL_BUILD");
  return wish != nullptr && std::string_view(wish) == "inline" ? BuildPlace::as_set : BuildPlace::child;
}

void ProgramBuild::fail(const std::exception& error) {
  const std::string_view text = error.what();
  failure = text.substr(0, text.find('\n'));
  failure_kind = kind_of(error);
  if (const auto* refused = dynamic_cast<const BuildError*>(&error)) messages = refused->messages();
  if (std::none_of(messages.begin(), messages.end(), is_error)) messages.push_back(error_message(failure, file));
}

void build_programs(const BuildOrder& order, Context& context,
                    const std::function<void(std::span<ProgramBuild>)>& done) {
  const BuildOptions options = order.sources.build_options().place(order.place());
  std::vector<ReadFile> read_files;
  for (const std::string& file : order.files) read_files.push_back(read(file, order.sources));
  std::vector<FileBuilds> all;
  for (std::size_t i = 0; i < order.files.size(); ++i)
    all.emplace_back(order.files[i], read_files[i], context, options);
  for (FileBuilds& builds : all) done(builds.finished());
}

std::vector<std::string> short_names(std::span<const Device> devices) {
  std::vector<std::string> names;
  for (const Device& device : devices) {
    const auto same = [&](const Device& other) { return other.platform_alias() == device.platform_alias(); };
    std::string name = device.platform_alias();
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
    if (std::count_if(devices.begin(), devices.end(), same) > 1)
      name += fmt::format("-{}", std::count_if(devices.data(), &device, same));
    names.push_back(std::move(name));
  }
  return names;
}

void print_diagnostics(std::span<const ProgramBuild> builds, std::span<const std::string> names) {
  std::vector<Diagnostic> diagnostics;
  for (std::size_t i = 0; i < builds.size(); ++i) add_diagnostics(diagnostics, builds[i].messages, names[i]);
  if (!builds.empty()) print_diagnostics(diagnostics, builds.front().file, builds.size() > 1);
}

}  // namespace anycl::command
