#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "command.hpp"
#include "device_list.hpp"
#include "diagnostics.hpp"
#include "json_document.hpp"
#include "kernel_description.hpp"
#include "os_output_file.hpp"
#include "output_check.hpp"
#include "printable.hpp"
#include "program_builds.hpp"
#include "quantity.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExplanation =
    R"(Builds each FILE for each device, as a program would that reads it, and lists its kernels: what they take, and what they
take of the device. What compilers say goes to stderr, warnings too, as editors and CI know it:
  blur.cl:12:7: error: use of undeclared identifier 'radius'
A line that ends in [pocl, intel] was said for these of several devices. #include finds files beside the one that says it and in
the folders of -I, nowhere else. Without --device or --all-drivers: the devices of ranks 0, 1, ... of 'anycl devices'.

Compilers run in processes of their own: one that crashes or hangs fails its file and no other. ANYCL_BUILD=inline runs them in this
one; ANYCL_BUILD_LIMIT and ANYCL_BUILD_MEMORY set their limits.

--emit binary writes what each driver makes of FILE to files, whole or not at all, in the folder -o, else in the current one: of
saxpy.cl to saxpy.pocl.bin, and with two devices of one driver to saxpy.pocl-0.bin and saxpy.pocl-1.bin; for one file and one device -o may name the file. Its format is the driver's own: an ELF file, assembly, an archive. --emit ir is
refused: drivers hand out SPIR-V only where they were given SPIR-V.

Examples:
  anycl build kernels/*.cl
  anycl build blur.cl -D RADIUS=3 -D T=float -I common --all-drivers
  anycl build blur.cl --device pocl --emit binary -o blur.bin
  anycl build blur.cl --json

Exit codes: 0 all built, 1 something was not, 2 bad usage or a file that cannot be read or written, 3 no usable device.)";

struct Request {
  BuildOrder order;
  std::string emit;
  std::string output;

  [[nodiscard]] bool emits() const { return !emit.empty(); }
};

/// Where the binaries go, by file and device; empty without --emit.
struct Places {
  std::vector<std::string> paths;
  std::size_t devices = 0;
  std::size_t next = 0;  ///< of `paths`

  /// \throws InvalidArgument  when two would be one, or one would take the place of a file that is built.
  /// \throws IoError          when there is no such folder, or none of ours could be put there.
  Places(const Request& request, std::span<const std::string> names);
};

[[noreturn]] void refuse_ir() {
  throw InvalidArgument(
      "--emit ir: OpenCL drivers hand out SPIR-V only for programs that were given as SPIR-V; --emit binary writes "
      "what a "
      "driver makes of the source (assembly on NVIDIA's, an ELF file on most), and clang --target=spirv64 makes "
      "SPIR-V");
}

std::string file_name(const std::string& file, const std::string& device) {
  return fmt::format("{}.{}.bin", fs::path(file).stem().string(), device);
}

Places::Places(const Request& request, std::span<const std::string> names) : devices(names.size()) {
  if (!request.emits()) return;
  const auto& files = request.order.files;
  std::error_code ignored;
  const bool is_folder = request.output.empty() || fs::is_directory(request.output, ignored);
  if (!is_folder && files.size() * devices > 1)
    throw InvalidArgument(fmt::format("--output: {} is no folder, which {} binaries need", printable(request.output),
                                      files.size() * devices));
  for (const std::string& file : files)
    for (const std::string& name : names)
      paths.push_back(is_folder ? (fs::path(request.output) / file_name(file, name)).string() : request.output);
  auto sorted = paths;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw InvalidArgument(fmt::format("--emit: two files would be written to {}; build them one by one, with --output",
                                      printable(*twice)));
  for (const std::string& path : paths) refuse_to_replace(files, path, "--emit");
  for (const std::string& path : paths) static_cast<void>(OutputFile(path));  // before the work: it could be put there
}

/// What a driver's format is, as far as its first bytes tell.
std::string_view format_of(std::span<const std::byte> binary) {
  const std::string_view text(reinterpret_cast<const char*>(binary.data()), binary.size());
  if (text.starts_with("\x7f"
                       "ELF"))
    return "ELF";
  if (text.starts_with("BC\xc0\xde")) return "LLVM bitcode";
  if (text.starts_with("poclbin")) return "PoCL's archive";
  if (text.substr(0, 4096).find("\n.version ") != std::string_view::npos) return "PTX";
  return "the driver's format";
}

/// What was written of a build; empty: nothing.
struct Written {
  std::string path;
  std::size_t bytes = 0;
  std::string_view format;
};

Written write_binary(const ProgramBuild& build, const std::string& path) {
  const std::vector<std::byte> binary = build.program->binary(build.device);
  OutputFile file(path);
  if (std::fwrite(binary.data(), 1, binary.size(), file.stream()) != binary.size()) file.fail(errno);
  file.commit();
  return {path, binary.size(), format_of(binary)};
}

/// A device that gives no binary fails the build.
Written emit(ProgramBuild& build, Places& places) {
  if (places.paths.empty()) return {};
  const std::string& path = places.paths[places.next++];
  if (build.failed()) return {};
  try {
    return write_binary(build, path);
  } catch (const Unsupported& error) {
    build.fail(error);
    return {};
  }
}

void print(const ProgramBuild& build, const Written& written) {
  fmt::print("{} for {}{}\n", printable(build.file), printable(title(build.device)), build.failed() ? ": failed" : "");
  if (build.failed()) return;
  for (const KernelInfo& kernel : build.kernels)
    fmt::print("  {}\n    {}\n", printable(kernel.signature()), resources_text(kernel));
  if (build.kernels.empty()) fmt::print("  no kernels\n");
  if (!written.path.empty())
    fmt::print("  written: {}, {}, {}\n", printable(written.path), bytes_text(written.bytes), written.format);
}

Json describe_build(const ProgramBuild& build, const Written& written) {
  Json document{{"file", build.file}, {"device", device_name(build.device)}, {"built", !build.failed()}};
  document["error"] = build.failed() ? Json{{"kind", build.failure_kind}, {"message", build.failure}} : Json(nullptr);
  document["messages"] = Json::array();
  for (const BuildMessage& message : build.messages) document["messages"].push_back(describe(message));
  document["kernels"] = Json::array();
  for (const KernelInfo& kernel : build.kernels) document["kernels"].push_back(describe(kernel));
  document["output"] = written.path.empty() ? Json(nullptr) : Json(written.path);
  return document;
}

ExitCode run(const Request& request, bool json) {
  if (request.emit == "ir") refuse_ir();
  // Before a driver is loaded: from its own cache PoCL tells the warnings of an earlier file with the same code, or none.
  ::setenv("POCL_KERNEL_CACHE", "0", 0);
  if (!request.emits() && !request.output.empty()) throw InvalidArgument("--output: nothing is written without --emit");
  const auto devices = request.order.devices();
  const auto names = short_names(devices);
  Context context(devices);
  Places places(request, names);
  Json document = make_document("anycl.build");
  document["builds"] = Json::array();
  std::size_t failed = 0;
  build_programs(request.order, context, [&](std::span<ProgramBuild> builds) {
    std::vector<Written> written;
    for (ProgramBuild& build : builds) written.push_back(emit(build, places));
    print_diagnostics(builds, names);
    for (std::size_t i = 0; i < builds.size(); ++i) {
      json ? document["builds"].push_back(describe_build(builds[i], written[i])) : print(builds[i], written[i]);
      failed += builds[i].failed() ? 1 : 0;
    }
    if (!json) flush_results();  // file by file
  });
  document["failed"] = failed;
  if (json) print_document(document);
  return failed == 0 ? ExitCode::done : ExitCode::answered_no;
}

}  // namespace

Command add_build(CLI::App& parent, const bool& json) {
  const auto request = std::make_shared<Request>();
  CLI::App* parser =
      parent.add_subcommand("build", "Build OpenCL C files: what compilers say of them, and their kernels");
  request->order.add_to(*parser);
  parser->add_option("--emit", request->emit, "Write what the drivers make of the files")
      ->check(CLI::IsMember({"binary", "ir"}));
  parser->add_option("-o,--output", request->output, "Where --emit writes")->type_name("OUT");
  parser->footer(kExplanation);
  return {parser, [request, &json] { return run(*request, json); }};
}

}  // namespace anycl::command
