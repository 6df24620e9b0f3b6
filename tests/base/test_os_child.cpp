// Needs: no driver
#include "base/os_child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using End = os::ChildResult::End;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLong(60'000);
constexpr milliseconds kShort(200);

os::ChildCommand shell(const std::string& script, milliseconds limit = kLong) {
  return {.program = "/bin/sh", .arguments = {"-c", script}, .limit = limit};
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) == 0 || errno != ECHILD; }

/// True once the process of that number is gone; init may take a while to see it off.
bool comes_to_end(const std::string& number) {
  for (int looks = 0; looks < 1000; ++looks) {
    if (::kill(std::stoi(number), 0) != 0) return true;
    ::usleep(10'000);
  }
  return false;
}

/// The file's content once it is there and ends in a line end.
std::string wait_for_line(const std::string& file) {
  for (int looks = 0; looks < 3000; ++looks) {
    if (const std::string text = test::read_file(file); text.ends_with('\n')) return text;
    ::usleep(10'000);
  }
  return {};
}

}  // namespace

TEST_CASE("a child's exit code and both its outputs come back", "[base][os_child]") {
  const auto result = os::run_child(shell("echo out; echo err >&2; exit 3"));

  CHECK(result.end == End::exited);
  CHECK(result.code == 3);
  CHECK_FALSE(result.succeeded());
  CHECK(result.output == "out\n");
  CHECK(result.errors == "err\n");
  CHECK(result.description() == "ended with exit code 3");
  CHECK(os::run_child(shell("exit 0")).succeeded());
  CHECK_FALSE(has_children());
}

TEST_CASE("a child that a signal ends tells which", "[base][os_child]") {
  const auto result = os::run_child(shell("echo before; kill -ABRT $$"));

  CHECK(result.end == End::signalled);
  CHECK(result.code == SIGABRT);
  CHECK(result.output == "before\n");
  CHECK(result.description() == "was ended by signal 6 (Aborted)");
  CHECK_FALSE(has_children());
}

TEST_CASE("a child is killed at its limit with all that it started", "[base][os_child]") {
  // Whatever it does with its pipes, and whatever signals it ignores.
  const auto habit = GENERATE(as<std::string>{}, "", "exec >&- 2>&-;", "trap '' TERM INT HUP;");
  const auto result = os::run_child(shell("sleep 600 & echo $!; " + habit + " wait; sleep 600", kShort));

  CHECK(result.end == End::timed_out);
  CHECK(result.description() == "did not end in time");
  REQUIRE_THAT(result.output, Contains("\n"));
  CHECK_FALSE(has_children());
  CHECK(comes_to_end(result.output));
}

TEST_CASE("what a child leaves behind does not keep us waiting", "[base][os_child]") {
  const auto result = os::run_child(shell("sleep 600 & echo done"));  // the sleep holds the pipes

  CHECK(result.succeeded());
  CHECK(result.output == "done\n");
}

TEST_CASE("children run at once, each under its own limit", "[base][os_child]") {
  // The first waits for what the second writes.
  const test::Folder folder;
  const std::string fifo = folder.file("fifo");
  const std::vector<os::ChildCommand> commands{
      shell("while ! test -p '" + fifo + "'; do :; done; cat '" + fifo + "'"),
      shell("mkfifo '" + fifo + "'; echo hello >'" + fifo + "'; exit 5"),
      shell("sleep 600", kShort),
      {.program = folder.file("missing")},
  };

  const auto results = os::run_children(commands);

  REQUIRE(results.size() == 4);
  CHECK(results[0].output == "hello\n");
  CHECK(results[1].code == 5);
  CHECK(results[2].end == End::timed_out);
  CHECK(results[3].end == End::not_started);
  CHECK_FALSE(has_children());
  CHECK(os::run_children({}).empty());
}

TEST_CASE("a program that cannot be started is told with the reason", "[base][os_child]") {
  const test::Folder folder;
  const std::string plain = folder.file("plain");
  test::write_file(plain, "no program");

  const auto missing = os::run_child({.program = folder.file("missing")});
  const auto not_executable = os::run_child({.program = plain});

  CHECK(missing.end == End::not_started);
  CHECK(missing.code == ENOENT);
  CHECK(missing.description() == "could not be started: No such file or directory");
  CHECK(not_executable.code == EACCES);
}

TEST_CASE("output over the limit is dropped, and the child can still end", "[base][os_child]") {
  auto command = shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2");
  command.output_limit = 1000;

  const auto result = os::run_child(command);

  CHECK(result.succeeded());
  CHECK(result.output.size() == 1000);
  CHECK(result.errors.size() == 1000);
}

TEST_CASE("a child's environment is ours with changes", "[base][os_child]") {
  const test::Variable kept("ANYCL_TEST_KEPT", "kept");
  const test::Variable changed("ANYCL_TEST_CHANGED", "before");
  const test::Variable unset("ANYCL_TEST_UNSET", "before");
  auto command = shell("echo $ANYCL_TEST_KEPT $ANYCL_TEST_CHANGED ${ANYCL_TEST_UNSET-none}");
  command.environment = {"ANYCL_TEST_CHANGED=a=b", "ANYCL_TEST_UNSET"};

  CHECK(os::run_child(command).output == "kept a=b none\n");
}

TEST_CASE("a child has none of our descriptors and an empty stdin", "[base][os_child]") {
  const int leaky = ::open("/dev/zero", O_RDONLY);  // without O_CLOEXEC, as hosts do
  REQUIRE(leaky > STDERR_FILENO);

  const auto result = os::run_child(shell("cat; readlink /proc/$$/fd/*"));

  ::close(leaky);
  CHECK_THAT(result.output, StartsWith("/dev/null\npipe:"));
  CHECK(result.output.find("/dev/zero") == std::string::npos);
}

TEST_CASE("a child works from a process without standard streams", "[base][os_child]") {
  const int code = test::in_forked_child([] {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(standard);
    const auto result = os::run_child(shell("echo out; echo err >&2"));
    return result.output == "out\n" && result.errors == "err\n" ? 0 : 1;
  });

  CHECK(code == 0);
}

TEST_CASE("a child has default signals whatever the host ignores or blocks", "[base][os_child]") {
  const int code = test::in_forked_child([] {
    ::signal(SIGTERM, SIG_IGN);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    const auto result = os::run_child(shell("kill -TERM $$; exit 0"));
    return result.end == End::signalled && result.code == SIGTERM ? 0 : 1;
  });

  CHECK(code == 0);
}

TEST_CASE("a host that lets the system wait for its children gets output without an exit code", "[base][os_child]") {
  const int code = test::in_forked_child([] {
    ::signal(SIGCHLD, SIG_IGN);
    const auto result = os::run_child(shell("echo out; exit 3"));
    const bool told = result.description() == "ended, and the host has taken its exit code";
    return result.end == End::exited && result.code == -1 && result.output == "out\n" && told ? 0 : 1;
  });

  CHECK(code == 0);
}

TEST_CASE("a process without descriptors to spare starts no child", "[base][os_child]") {
  const int code = test::in_forked_child([] {
    while (::dup(STDIN_FILENO) >= 0) continue;
    const auto result = os::run_child(shell("exit 0"));
    return result.end == End::not_started && result.code == EMFILE ? 0 : 1;
  });

  CHECK(code == 0);
}

TEST_CASE("speaks past what others print, for a process of its own", "[.][speaks_to_parent]") {
  {
    const os::PrivateOutput output;
    ::system("echo noise");
    output.say("answer\n");
  }
  ::system("echo loud again");
}

TEST_CASE("a child's answer is kept apart from what others print in it", "[base][os_child]") {
  const auto result = os::run_child({.program = "/proc/self/exe", .arguments = {"[speaks_to_parent]"}});

  CHECK_THAT(result.output, Contains("answer\nloud again\n") && !Contains("noise"));
  CHECK_THAT(result.errors, Contains("noise\n"));
}

TEST_CASE("tells its number and waits as a child, for a process of its own", "[.][waits_as_child]") {
  os::behave_as_child();
  test::write_file(std::getenv("ANYCL_TEST_FILE"), std::to_string(::getpid()) + "\n");
  ::pause();
}

TEST_CASE("a child that behaves ends with its parent", "[base][os_child]") {
  const test::Folder folder;
  const std::string file = folder.file("number");
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto result = os::run_child(
        {.program = "/proc/self/exe", .arguments = {"[waits_as_child]"}, .environment = {"ANYCL_TEST_FILE=" + file}});
    test::end_forked_child(result.code);
  }
  const std::string number = wait_for_line(file);

  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);

  CHECK(comes_to_end(number));
}
