#include "support/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "support/layer.hpp"

extern "C" char** environ;

/// There in programs that clang has given counters.
extern "C" __attribute__((weak)) int __llvm_profile_write_file();

namespace anycl::test {
namespace {

using Clock = std::chrono::steady_clock;

std::string name_of(const std::string& variable) { return variable.substr(0, variable.find('=')); }

/// A process under the test layer has children under it, unless `changes` say otherwise: ocl-icd 2.3.1 cuts OPENCL_LAYERS
/// in place as it reads it, so they would not inherit it whole.
void keep_layer(std::vector<std::string>& changes) {
  const bool said = std::any_of(changes.begin(), changes.end(),
                                [](const auto& change) { return name_of(change) == "OPENCL_LAYERS"; });
  if (!said && std::getenv("ANYCL_TEST_LAYER") != nullptr) changes.push_back("OPENCL_LAYERS=" + layer_file());
}

std::vector<std::string> changed_environment(std::vector<std::string> changes) {
  keep_layer(changes);
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  for (const std::string& change : changes) {
    std::erase_if(variables, [&](const std::string& variable) { return name_of(variable) == name_of(change); });
    if (change.find('=') != std::string::npos) variables.push_back(change);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Starts the program with stdout and stderr going to the pipe's end `output`.
pid_t start(std::vector<std::string> command, std::vector<std::string> environment, int output) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, command.front().c_str(), &actions, nullptr, pointers(command).data(),
                                    pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + command.front());
  return child;
}

/// Reads until the child closes its end; false when `deadline` passes first.
bool read_until_closed(int input, Clock::time_point deadline, std::string& output) {
  std::array<char, 4096> block{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{input, POLLIN, 0};
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) == 0) return false;
    const ssize_t got = ::read(input, block.data(), block.size());
    if (got <= 0) return true;
    output.append(block.data(), static_cast<std::size_t>(got));
  }
}

ChildResult run_hidden_test_in(const std::string& file, const std::string& tag, const std::vector<std::string>& changes,
                               std::chrono::seconds limit) {
#if __has_include(<catch2/catch_all.hpp>)
  return run_child(file, {tag}, changes, limit);
#else
  return run_child(file, {"-w", "NoTests", tag}, changes, limit);  // version 3 fails without it
#endif
}

}  // namespace

ChildResult run_child(const std::string& file, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& changes, std::chrono::seconds limit) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  std::vector<std::string> command{file};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const pid_t child = start(std::move(command), changed_environment(changes), pipe[1]);
  ::close(pipe[1]);

  ChildResult result;
  result.timed_out = !read_until_closed(pipe[0], Clock::now() + limit, result.output);
  if (result.timed_out) ::kill(child, SIGKILL);
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

ChildResult run_hidden_test(const std::string& tag, const std::vector<std::string>& changes,
                            std::chrono::seconds limit) {
  return run_hidden_test_in("/proc/self/exe", tag, changes, limit);
}

ChildResult run_hidden_test_of(const std::string& program, const std::string& tag,
                               const std::vector<std::string>& changes, std::chrono::seconds limit) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return run_hidden_test_in(folder / program, tag, changes, limit);
}

std::optional<int> wait_for_child(int child, std::chrono::seconds limit) {
  const auto deadline = Clock::now() + limit;
  auto pause = std::chrono::microseconds(500);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
  return status;
}

int in_forked_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) end_forked_child(body());
  const auto status = wait_for_child(child, std::chrono::seconds(30));
  if (!status) return kHung;
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : -100 - WTERMSIG(*status);
}

void end_forked_child(int code) noexcept {
  if (__llvm_profile_write_file != nullptr) __llvm_profile_write_file();
  ::_exit(code);
}

}  // namespace anycl::test
