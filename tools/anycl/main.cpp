#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include "command_line.hpp"
#include "failure.hpp"

namespace anycl::command {
namespace {

/// A result that did not reach its reader is not a result.
void flush_results() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "cannot write to stdout");
}

ExitCode run(int argc, const char* const* argv) {
  CommandLine line;
  try {
    const ExitCode code = line.run(argc, argv);
    flush_results();
    return code;
  } catch (const std::exception& failure) {
    return report_failure(failure, line.wants_json());
  }
}

}  // namespace
}  // namespace anycl::command

int main(int argc, char** argv) { return static_cast<int>(anycl::command::run(argc, argv)); }
