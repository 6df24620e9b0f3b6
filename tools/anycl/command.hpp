/// \file  The commands of the program. Each knows its own part of the command line and what to do with it.
#pragma once

#include <functional>
#include <vector>

#include "exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
}

namespace anycl::command {

/// A command that waits for the command line to be parsed; then `parser` knows whether it was named.
struct Command {
  CLI::App* parser;
  std::function<ExitCode()> run;
};

// Each adds a command to `parent`. `json` is set while the command line is parsed, and must live as long as that takes.
[[nodiscard]] Command add_devices(CLI::App& parent, const bool& json);
[[nodiscard]] Command add_doctor(CLI::App& parent, const bool& json);
[[nodiscard]] std::vector<Command> add_cache(CLI::App& parent, const bool& json);  // with commands of its own
[[nodiscard]] Command add_build(CLI::App& parent, const bool& json);
[[nodiscard]] Command add_run(CLI::App& parent, const bool& json);
[[nodiscard]] Command add_image_run(CLI::App& image, const bool& json);
[[nodiscard]] Command add_image_filters(CLI::App& image, const bool& json);
[[nodiscard]] Command add_image_scene(CLI::App& image, const bool& json);

/// `anycl --version`: the library, the loader and each driver. Works without any of the latter two.
ExitCode print_version(bool json);

/// `anycl --help env`: environment variables with their default and the value in force.
void print_environment();

}  // namespace anycl::command
