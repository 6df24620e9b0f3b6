#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "anycl/device/selection.hpp"
#include "anycl/program/kernel_cache.hpp"
#include "anycl/program/launch.hpp"
#include "anycl/program/program.hpp"
#include "base/scaled_number.hpp"
#include "command.hpp"
#include "device_list.hpp"
#include "image_device.hpp"
#include "json_document.hpp"
#include "kernel_description.hpp"
#include "kernel_source.hpp"
#include "os_output_file.hpp"
#include "output_check.hpp"
#include "printable.hpp"
#include "quantity.hpp"
#include "run_argument.hpp"
#include "standard_streams.hpp"
#include "table.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"(Runs KERNEL of FILE once, or --repeat times, each time on the same contents; tells how long it took, and what is in the
buffers then. One --arg for each parameter, in their order. SPEC is one of
  NUMBER                     of the parameter's type: 3, -1, 0x10, 2.5, 1e-3; for a vector 1,2,3,4 or one for all; not of type half
  local:BYTES                local memory
  null                       a null pointer
  zeros:N                    a buffer with N elements of the parameter's type, all zero
  iota:N                     0, 1, 2, ...; no halves
  random:N[:SEED]            floating-point numbers in [0, 1), integers of all sizes, no halves; the same for the same seed (1)
  FILE.npy                   a buffer with NumPy's array: numbers in little-endian and C order
  raw:FILE                   a buffer with a file's bytes
and TYPE: ahead, such as float:zeros:100 or uint:3, where the kernel does not tell the type. Behind a buffer @OUT saves what is in
it after the run: @y.npy as an array, any other name as bytes; whole or not at all. What is not saved is shown, up to 8 numbers.
An output may take the place of its own argument's file, x.npy@x.npy, and of no other file that is read. Sizes take K, M and G. A
file that is read and has an @ in its name gets one more behind it: x@1.npy@, x@1.npy@y.npy. Vectors of three are given, shown and
saved as arrays in threes; a file's bytes have room for a fourth number in each. Images, samplers, pipes and structs by value
cannot be given. In --json, numbers that are none are the strings "nan", "inf" and "-inf".

The kernel runs as it is: one that reads or writes outside its buffers, or does not end, may crash or hang this process.

Examples:
  anycl run saxpy.cl saxpy --global 1000 --arg 2 --arg iota:1000 --arg zeros:1000 --arg 1000
  anycl run blur.cl blur --global 640,480 --local 16,16 --arg in.npy --arg zeros:300K@out.npy -D RADIUS=3
  anycl run sum.cl sum --global 1M --local 256 --arg random:1M:7 --arg zeros:4K --arg local:1K --repeat 20 --json

Exit codes: 0 done, 1 the build or the run failed, 2 bad usage, arguments or files, 3 no usable device or not enough memory.)";

using Clock = std::chrono::steady_clock;

struct Request {
  std::string file;
  std::string kernel;
  std::string global;
  std::string local;
  std::vector<std::string> arguments;
  SourceOptions sources;
  std::string selection;
  std::uint64_t repeat = 1;
};

/// How long one run took.
struct RunTime {
  std::optional<std::uint64_t> device_ns;
  std::uint64_t host_ns = 0;
};

struct Times {
  std::vector<std::uint64_t> ns{};  ///< sorted
  bool by_device = false;           ///< else by the host's clock

  [[nodiscard]] std::uint64_t median() const { return ns[ns.size() / 2]; }
};

/// "640,480"
/// \throws InvalidArgument
Extents parse_extents(std::string_view option, std::string_view text) {
  std::vector<std::uint64_t> sizes;
  for (std::string_view rest = text;;) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto size = parse_scaled_number(rest.substr(0, comma));
    if (!size || sizes.size() == 3)
      throw InvalidArgument(fmt::format("{}: '{}' is not one to three sizes, such as 640,480", option, text));
    sizes.push_back(*size);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  if (sizes.size() == 1) return {sizes[0]};
  return sizes.size() == 2 ? Extents(sizes[0], sizes[1]) : Extents(sizes[0], sizes[1], sizes[2]);
}

void check_groups(const Extents& global, const Extents& local) {
  for (unsigned i = 0; i < std::min(global.dimensions(), local.dimensions()); ++i)
    if (local.data()[i] != 0 && global.data()[i] % local.data()[i] != 0)
      throw InvalidArgument(
          fmt::format("--local {} does not divide --global {}; a kernel that checks for work-items past the end "
                      "can be given a global size of whole groups",
                      extents_text(local), extents_text(global)));
}

Range parse_range(const Request& request) {
  const Extents global = parse_extents("--global", request.global);
  if (request.local.empty()) return Range(global);
  const Extents local = parse_extents("--local", request.local);
  check_groups(global, local);
  return Range(global, local);
}

/// "argument 1 'x' (zeros:y)"
[[noreturn]] void refuse_argument(const Request& request, std::size_t index, const ParameterInfo* parameter,
                                  const std::exception& why) {
  const std::string name = parameter == nullptr ? "" : fmt::format(" '{}'", parameter->name);
  throw InvalidArgument(fmt::format("--arg {}: argument {}{}: {}", request.arguments[index], index, name, why.what()));
}

std::vector<ArgumentSpec> parse_arguments(const Request& request) {
  std::vector<ArgumentSpec> specs;
  for (std::size_t i = 0; i < request.arguments.size(); ++i) try {
      specs.push_back(parse_argument(request.arguments[i]));
    } catch (const InvalidArgument& error) {
      refuse_argument(request, i, nullptr, error);
    }
  return specs;
}

/// What may not be written to: the source, and what other arguments are read from.
std::vector<std::string> inputs_beside(std::size_t index, const Request& request,
                                       const std::vector<ArgumentSpec>& specs) {
  std::vector<std::string> inputs{request.file};
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (i != index && specs[i].is_file()) inputs.push_back(specs[i].value);
  return inputs;
}

/// Before the work: files could be put there, each its own, in place of nothing that is read. An argument's own file may be
/// named twice, which asks for just that.
void check_outputs(const Request& request, const std::vector<ArgumentSpec>& specs) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string& path = specs[i].output;
    if (path.empty()) continue;
    refuse_to_replace(inputs_beside(i, request, specs), path, "--arg " + request.arguments[i]);
    static_cast<void>(OutputFile(path));
    const auto twice =
        std::find_if(paths.begin(), paths.end(), [&](const std::string& other) { return is_same_file(path, other); });
    if (twice != paths.end())
      throw InvalidArgument(fmt::format("--arg: two buffers would be saved to one file, {} and {}", *twice, path));
    paths.push_back(path);
  }
}

std::vector<RunArgument> make_arguments(const Request& request, Context& context, std::vector<ArgumentSpec> specs,
                                        const KernelInfo& kernel) {
  if (specs.size() != kernel.parameter_count)
    throw InvalidArgument(fmt::format("the kernel takes {} arguments, {} are given: {}", kernel.parameter_count,
                                      specs.size(), kernel.signature()));
  std::vector<RunArgument> arguments;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const ParameterInfo* parameter = i < kernel.parameters.size() ? &kernel.parameters[i] : nullptr;
    try {
      arguments.emplace_back(context, std::move(specs[i]), parameter);
    } catch (const InvalidArgument& error) {
      refuse_argument(request, i, parameter, error);
    }
  }
  return arguments;
}

RunTime run_once(Queue& queue, const Kernel& kernel, const Range& range,
                 std::span<const detail::BoundArgument> arguments) {
  queue.finish();
  const auto begin = Clock::now();
  const Event event = detail::launch_bound(queue, kernel, range, arguments);
  event.wait();
  const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  return {event.duration_ns(), static_cast<std::uint64_t>(spent.count())};
}

Times times_of(const std::vector<RunTime>& runs) {
  Times times;
  times.by_device = std::all_of(runs.begin(), runs.end(), [](const RunTime& run) { return run.device_ns.has_value(); });
  for (const RunTime& run : runs) times.ns.push_back(times.by_device ? *run.device_ns : run.host_ns);
  std::sort(times.ns.begin(), times.ns.end());
  return times;
}

/// Each run begins with the same contents, so that what comes out is that of one run.
Times run_all(const Request& request, Queue& queue, const Kernel& kernel, const Range& range,
              std::vector<RunArgument>& arguments) {
  std::vector<detail::BoundArgument> bound;
  for (const RunArgument& argument : arguments) bound.push_back(argument.bound());
  std::vector<RunTime> runs;
  for (std::uint64_t i = 0; i < request.repeat; ++i) {
    if (i > 0)
      for (RunArgument& argument : arguments) argument.restore(queue);
    runs.push_back(run_once(queue, kernel, range, bound));
  }
  for (RunArgument& argument : arguments)
    if (argument.is_result()) argument.fetch();
  return times_of(runs);
}

std::string time_text(const Times& times) {
  const std::string clock = times.by_device ? "" : " by the host's clock";
  if (times.ns.size() == 1) return duration_text(times.median()) + clock;
  return fmt::format("{}{}, median of {}; {} to {}", duration_text(times.median()), clock, times.ns.size(),
                     duration_text(times.ns.front()), duration_text(times.ns.back()));
}

std::string range_text(const Range& range) {
  const std::string groups = range.has_local() ? " in groups of " + extents_text(range.local()) : "";
  return extents_text(range.global()) + groups;
}

void print_text(const ChosenDevice& chosen, const KernelInfo& kernel, const Range& range, const Times& times,
                const std::vector<RunArgument>& arguments) {
  Table table;
  table.add({"device", fmt::format("{}: {}", title(chosen.device), chosen.reason)});
  table.add({"kernel", kernel.signature()});
  table.add({"range", range_text(range)});
  table.add({"time", time_text(times)});
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const RunArgument& argument = arguments[i];
    const std::string name = argument.name().empty() ? fmt::format("argument {}", i) : argument.name();
    const std::string& output = argument.spec().output;
    if (!output.empty())
      table.add({name, fmt::format("{}, saved to {}", argument.type_text(), output)});
    else if (argument.is_result())
      table.add({name, fmt::format("{}: {}", argument.type_text(), argument.values_text())});
  }
  table.print(stdout);
}

void print_json(const Request& request, const ChosenDevice& chosen, const KernelInfo& kernel, const Range& range,
                const Times& times, const std::vector<RunArgument>& arguments) {
  Json document = make_document("anycl.run");
  document["file"] = request.file;
  document["device"] = device_name(chosen.device);
  document["device"]["reason"] = chosen.reason;
  document["kernel"] = describe(kernel);
  document["global"] = describe(range.global());
  document["local"] = range.has_local() ? describe(range.local()) : Json(nullptr);
  document["times_ns"] = times.ns;
  document["median_ns"] = times.median();
  document["clock"] = times.by_device ? "device" : "host";
  document["arguments"] = Json::array();
  for (const RunArgument& argument : arguments) document["arguments"].push_back(argument.describe());
  print_document(document);
}

/// All that can be wrong with the request is found before the device is asked for, but for what only the kernel tells.
ExitCode run(const Request& request, bool json) {
  const Range range = parse_range(request);
  auto specs = parse_arguments(request);
  check_outputs(request, specs);
  const BuildOptions options = request.sources.build_options();
  const Source source = read_source(request.file, request.sources);

  const ChosenDevice chosen = choose_devices(discover(), request.selection).front();
  Context context{std::span(&chosen.device, 1)};
  Queue queue(context, chosen.device, {.profiling = true});
  const Kernel kernel(context, source, request.kernel, options);
  const KernelInfo info = kernel.info(chosen.device);
  auto arguments = make_arguments(request, context, std::move(specs), info);
  const Times times = run_all(request, queue, kernel, range, arguments);
  for (const RunArgument& argument : arguments)
    if (!argument.spec().output.empty()) argument.save();

  json ? print_json(request, chosen, info, range, times, arguments) : print_text(chosen, info, range, times, arguments);
  flush_results();  // the user reads while the kernel is stored for the next run
  flush_kernel_cache(context);
  return ExitCode::done;
}

}  // namespace

Command add_run(CLI::App& parent, const bool& json) {
  const auto request = std::make_shared<Request>();
  CLI::App* parser = parent.add_subcommand("run", "Run a kernel of a file on given or generated arguments");
  parser->add_option("FILE", request->file, "OpenCL C, or a SPIR-V module")->required();
  parser->add_option("KERNEL", request->kernel, "The kernel's name")->required();
  parser->add_option("--global", request->global, "Work-items; x varies fastest")->required()->type_name("N[,M[,K]]");
  parser->add_option("--local", request->local, "Work-items of a group (default: the driver's choice)")
      ->type_name("N[,M[,K]]");
  parser->add_option("--arg", request->arguments, "An argument; see below")->type_name("SPEC")->allow_extra_args(false);
  request->sources.add_to(*parser);
  parser->add_option("--device", request->selection, kDeviceHelp)->type_name("SELECTION");
  parser->add_option("--repeat", request->repeat, "Runs to take the median time of (default: 1)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}))
      ->type_name("N");
  parser->footer(kExplanation);
  return {parser, [request, &json] { return run(*request, json); }};
}

}  // namespace anycl::command
