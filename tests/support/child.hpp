/// \file  Running tests of this program in a process of their own: for what can happen once per process only (the choice
/// of a loader), for other environments, and for ends of processes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace anycl::test {

struct ChildResult {
  int exit_code = -1;  ///< -1: ended by a signal, or by the time limit
  int signal = 0;      ///< that ended it
  bool timed_out = false;
  std::string output;  ///< stdout and stderr together
};

/// Runs `file arguments...` with `changes` ("NAME=value", or "NAME" to unset it) made to this process's environment.
[[nodiscard]] ChildResult run_child(const std::string& file, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& changes = {},
                                    std::chrono::seconds limit = std::chrono::seconds(60));

/// Runs the test cases of this program that `tag`, such as "[alone]", names. Tag them "[.][alone]" and nothing else: that
/// hides them from ordinary runs. A tag without a test case gives a non-zero exit code.
[[nodiscard]] ChildResult run_hidden_test(const std::string& tag, const std::vector<std::string>& changes = {},
                                          std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace anycl::test
