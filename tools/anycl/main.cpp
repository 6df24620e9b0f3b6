#include <exception>

#include "command_line.hpp"
#include "failure.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

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

int main(int argc, char** argv) {
  anycl::command::open_closed_streams();
  return static_cast<int>(anycl::command::run(argc, argv));
}
