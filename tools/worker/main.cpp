// anycl-worker VERB ...: does for the library, in a process of its own, what a driver may crash or hang in. Not for people:
// verbs, arguments and answers change with the library's version.
//   probe LOADER LIBRARY   tries the driver that the vendor folder in force shows (lib/device/driver_trial.hpp)
//   build LOADER FOLDER    builds the program that a file in FOLDER describes (lib/program/child_build.hpp)
// Exit codes: 0 said what it found; 2 bad usage; 3 no loader. A driver may end it in any way.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string_view>

#include "base/os_child.hpp"
#include "device/trial_runner.hpp"
#include "program/child_build.hpp"

namespace {

int run(std::span<char* const> arguments) {
  const std::string_view verb = arguments.size() == 4 ? arguments[1] : "";
  if (verb == "probe") {
    anycl::detail::report_trial(arguments[2], arguments[3]);
    return 0;
  }
  if (verb == "build") {
    anycl::detail::report_build(arguments[2], arguments[3]);
    return 0;
  }
  std::fputs("anycl-worker: usage: anycl-worker probe LOADER LIBRARY | build LOADER FOLDER\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  anycl::os::behave_as_child();
  int code = 3;
  try {
    code = run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "anycl-worker: %s\n", error.what());
  }
  std::_Exit(code);  // the exit handlers of drivers are no part of the trial
}
