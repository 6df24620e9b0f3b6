#include "base/os_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/os_descriptor.hpp"

extern "C" char** environ;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
#define ANYCL_SANITIZED
#elif defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ANYCL_SANITIZED
#endif
#endif

namespace anycl::os {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How often we look whether a child has ended whose pipes say nothing: something that it started may hold them open.
constexpr milliseconds kLook(10);
/// The same once its pipes are closed: they close a moment before its end can be seen.
constexpr milliseconds kLookForEnd(1);
/// How long a killed child may take to go. One that waits inside a device driver may never.
constexpr milliseconds kFarewell(1000);

std::string name_of(const std::string& variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) variables.emplace_back(*entry);
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

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

/// Above the three standard ones, which a host may have closed: the child's own would be put in their places.
Descriptor away_from_standard(int descriptor) {
  const Descriptor original(descriptor);
  return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// Nothing, with errno set, when there is no descriptor left.
std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  Pipe pipe{away_from_standard(ends[0]), away_from_standard(ends[1])};
  if (!pipe.read_end.valid() || !pipe.write_end.valid()) return std::nullopt;
  ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

/// What the new process does before it becomes the program.
class SpawnActions {
 public:
  SpawnActions(int output, int errors) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
#endif
#endif
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  [[nodiscard]] const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class SpawnAttributes {
 public:
  SpawnAttributes() {
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }

  [[nodiscard]] const posix_spawnattr_t* get() const noexcept { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// 0, or the system's error number.
int spawn(const ChildCommand& command, int output, int errors, pid_t& child) {
  std::vector<std::string> arguments{command.program};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = changed_environment(command.environment);
  const SpawnActions actions(output, errors);
  const SpawnAttributes attributes;
  return ::posix_spawn(&child, command.program.c_str(), actions.get(), attributes.get(), pointers(arguments).data(),
                       pointers(environment).data());
}

/// What comes out of one pipe of a child.
class Stream {
 public:
  Stream(Descriptor from, std::string& to, std::size_t limit, int& error)
      : from_(std::move(from)), to_(to), limit_(limit), error_(error) {}

  [[nodiscard]] int descriptor() const noexcept { return from_.get(); }  ///< negative once it is at its end

  /// Takes all that is there now.
  void read() {
    std::array<char, 4096> block{};
    while (from_.valid()) {
      const ssize_t got = ::read(from_.get(), block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got < 0) error_ = errno;
      if (got <= 0) return from_.close();
      to_.append(block.data(), std::min(static_cast<std::size_t>(got), limit_ - to_.size()));
    }
  }

 private:
  Descriptor from_;
  std::string& to_;
  std::size_t limit_;
  int& error_;
};

/// One child from its start to its end.
class Child {
 public:
  Child(const ChildCommand& command, ChildResult& result) : result_(result), deadline_(Clock::now() + command.limit) {
    auto output = make_pipe();
    auto errors = output ? make_pipe() : std::nullopt;
    result.code = errors ? spawn(command, output->write_end.get(), errors->write_end.get(), process_) : errno;
    if (result.code != 0) return;
    result.end = ChildResult::End::exited;
    running_ = true;
    streams_.emplace_back(std::move(output->read_end), result.output, command.output_limit, result.unread);
    streams_.emplace_back(std::move(errors->read_end), result.errors, command.output_limit, result.unread);
  }

  [[nodiscard]] bool running() const noexcept { return running_; }
  [[nodiscard]] const std::vector<Stream>& streams() const noexcept { return streams_; }

  /// Reads what there is, and ends with the child or at its deadline.
  void proceed() {
    read();
    if (has_ended()) {
      // What it has started and left goes too, while the dead child still keeps the group's number from others.
      end();
    } else if (Clock::now() >= deadline_) {
      result_.end = ChildResult::End::timed_out;
      end();
    }
  }

 private:
  void read() {
    for (Stream& stream : streams_) stream.read();
  }

  /// Leaves it as a zombie.
  [[nodiscard]] bool has_ended() noexcept {
    siginfo_t facts{};
    taken_ = ::waitid(P_PID, static_cast<id_t>(process_), &facts, WEXITED | WNOHANG | WNOWAIT) != 0;
    return taken_ || facts.si_pid == process_;
  }

  void end() {
    running_ = false;
    if (!taken_) ::kill(-process_, SIGKILL);  // else the number may be another's by now
    const auto status = reap();
    read();
    streams_.clear();
    if (result_.end != ChildResult::End::timed_out) tell(status);
  }

  /// The exit status, as waitpid() gives it; nothing when the host has taken it, or never waits for children.
  [[nodiscard]] std::optional<int> reap() const {
    const auto limit = Clock::now() + kFarewell;
    int status = 0;
    pid_t gone = 0;
    while ((gone = ::waitpid(process_, &status, WNOHANG)) == 0 && Clock::now() < limit)
      std::this_thread::sleep_for(milliseconds(1));
    return gone == process_ ? std::optional(status) : std::nullopt;
  }

  void tell(std::optional<int> status) {
    const bool signalled = status && WIFSIGNALED(*status);
    if (signalled) result_.end = ChildResult::End::signalled;
    result_.code = !status ? -1 : signalled ? WTERMSIG(*status) : WEXITSTATUS(*status);
  }

  ChildResult& result_;
  Clock::time_point deadline_;
  pid_t process_ = -1;
  bool running_ = false;
  bool taken_ = false;  ///< the host has waited for it, or has the system wait for all children
  std::vector<Stream> streams_;
};

/// Waits until a child says something, or it is time to look.
void wait_for_any(const std::vector<std::unique_ptr<Child>>& children) {
  milliseconds pause = kLook;
  std::vector<pollfd> waits;
  for (const auto& child : children) {
    if (!child->running()) continue;
    const std::size_t waits_before = waits.size();
    for (const Stream& stream : child->streams())
      if (stream.descriptor() >= 0) waits.push_back({stream.descriptor(), POLLIN, 0});
    if (waits.size() == waits_before) pause = kLookForEnd;
  }
  ::poll(waits.data(), waits.size(), static_cast<int>(pause.count()));
}

bool any_running(const std::vector<std::unique_ptr<Child>>& children) {
  return std::any_of(children.begin(), children.end(), [](const auto& child) { return child->running(); });
}

}  // namespace

std::string ChildResult::description() const {
  switch (end) {
    case End::exited:
      if (code == -1) return "ended, and the host has taken its exit code";
      return fmt::format("ended with exit code {}", code);
    case End::signalled:
      return fmt::format("was ended by signal {} ({})", code, ::strsignal(code));
    case End::timed_out:
      return "did not end in time";
    case End::not_started:
      return fmt::format("could not be started: {}", std::strerror(code));
  }
  return {};
}

std::vector<ChildResult> run_children(std::span<const ChildCommand> commands) {
  std::vector<ChildResult> results(commands.size());
  std::vector<std::unique_ptr<Child>> children;
  for (std::size_t i = 0; i < commands.size(); ++i)
    children.push_back(std::make_unique<Child>(commands[i], results[i]));
  while (any_running(children)) {
    wait_for_any(children);
    for (const auto& child : children)
      if (child->running()) child->proceed();
  }
  return results;
}

ChildResult run_child(const ChildCommand& command) { return run_children({&command, 1}).front(); }

void behave_as_child() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

void limit_own_memory(std::uint64_t bytes) {
#if defined(ANYCL_SANITIZED)
  static_cast<void>(bytes);  // they take terabytes of addresses, which count
#else
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

PrivateOutput::PrivateOutput() : descriptor_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

PrivateOutput::~PrivateOutput() {
  ::dup2(descriptor_, STDOUT_FILENO);
  ::close(descriptor_);
}

void PrivateOutput::say(std::string_view text) const noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace anycl::os
