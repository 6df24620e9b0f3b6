#include "command_line.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"(Results go to stdout, all else to stderr. --json prints one document with 'schema' and 'version' and nothing else, for
failures too.

Examples:
  anycl devices
  anycl doctor                             what is wrong with this machine's OpenCL, and what to do
  anycl build blur.cl -D RADIUS=3          what compilers say of a file, and its kernels
  anycl run saxpy.cl saxpy --global 1000 --arg 2 --arg iota:1000 --arg zeros:1000@y.npy --arg 1000
  anycl image run "gaussian(1.4) | median(3) | sobel | equalize" photo.jpg -o edges.png
  anycl image run --help                   the filters
  anycl --help env                         environment variables

Exit codes: 0 done; 1 ran, and the answer is no; 2 bad usage or input, nothing done; 3 no usable device or not enough
memory.)";

constexpr const char* kImageExplanation = R"(Examples:
  anycl image scene -o scene.png
  anycl image run "gaussian(1.4) | sobel" scene.png -o edges.png --check
  anycl image filters)";

bool asks_for_json(int argc, const char* const* argv) {
  const char* const* const end = std::find(argv, argv + argc, std::string_view("--"));
  return std::find(argv, end, std::string_view("--json")) != end;
}

/// "anycl image run", for the last command that was named.
std::string called_as(const CLI::App& parser) {
  const auto named = parser.get_subcommands();
  return named.empty() ? parser.get_name() : parser.get_name() + " " + called_as(*named.front());
}

}  // namespace

CommandLine::CommandLine() : parser_(std::make_unique<CLI::App>("OpenCL on whatever this machine has.", "anycl")) {
  parser_->footer(kExplanation);
  parser_->require_subcommand(0, 1);
  parser_->set_help_flag("-h,--help", "Show this text");
  parser_->add_flag("--version", version_, "Show the versions of library, loader and drivers");
  commands_.push_back(add_devices(*parser_, json_));
  commands_.push_back(add_doctor(*parser_, json_));
  commands_.push_back(add_build(*parser_, json_));
  commands_.push_back(add_run(*parser_, json_));
  for (Command& command : add_cache(*parser_, json_)) commands_.push_back(std::move(command));
  add_image_commands();
  parser_->set_help_flag("-h,--help",
                         "Show this text; with 'env': environment variables");  // after its children took theirs
  parser_->add_flag("--json", json_, "Print one JSON document");
  for (const Command& command : commands_) command.parser->add_flag("--json", json_, "Print one JSON document");
}

CommandLine::~CommandLine() = default;

void CommandLine::add_image_commands() {
  CLI::App* image = parser_->add_subcommand("image", "Filters on pictures");
  image->require_subcommand(1);
  image->footer(kImageExplanation);
  commands_.push_back(add_image_run(*image, json_));
  commands_.push_back(add_image_filters(*image, json_));
  commands_.push_back(add_image_scene(*image, json_));
}

ExitCode CommandLine::run(int argc, const char* const* argv) {
  json_ = asks_for_json(argc, argv);
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print_help();
  } catch (const CLI::RequiredError& error) {  // an option that nobody knows is what went wrong first
    const auto unknown = parser_->remaining(true);
    const auto option =
        std::find_if(unknown.begin(), unknown.end(), [](const auto& word) { return word.starts_with('-'); });
    throw InvalidArgument(option == unknown.end()
                              ? fmt::format("{}; see '{} --help'", error.what(), called_as(*parser_))
                              : fmt::format("{}: no such option; see '{} --help'", *option, called_as(*parser_)));
  } catch (const CLI::ParseError& error) {
    throw InvalidArgument(fmt::format("{}; see '{} --help'", error.what(), called_as(*parser_)));
  }
  return run_command();
}

ExitCode CommandLine::print_help() const {
  const auto topics = parser_->remaining();
  if (topics.empty()) {
    fmt::print("{}\n", parser_->help());
  } else if (topics.front() == "env") {
    print_environment();
  } else {
    throw InvalidArgument(fmt::format("--help: no topic or command '{}'; see 'anycl --help'", topics.front()));
  }
  return ExitCode::done;
}

ExitCode CommandLine::run_command() const {
  const auto named =
      std::find_if(commands_.begin(), commands_.end(), [](const Command& command) { return command.parser->parsed(); });
  if (named != commands_.end()) return named->run();
  if (version_) return print_version(json_);
  throw InvalidArgument("no command; see 'anycl --help'");
}

}  // namespace anycl::command
