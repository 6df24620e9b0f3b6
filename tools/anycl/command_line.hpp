/// \file  The program's command line: its commands, and what happens when it cannot be understood.
#pragma once

#include <memory>
#include <vector>

#include "command.hpp"
#include "exit_code.hpp"

namespace anycl::command {

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Runs the command that the words name, or prints the help they ask for.
  /// \throws InvalidArgument  when the words cannot be understood; and what the command throws.
  ExitCode run(int argc, const char* const* argv);

  /// Whether stdout is to hold one JSON document and nothing else; known even when the rest was not understood.
  [[nodiscard]] bool wants_json() const noexcept { return json_; }

 private:
  void add_image_commands();
  ExitCode print_help() const;
  ExitCode run_command() const;

  std::unique_ptr<CLI::App> parser_;
  std::vector<Command> commands_;
  bool json_ = false;
  bool version_ = false;
};

}  // namespace anycl::command
