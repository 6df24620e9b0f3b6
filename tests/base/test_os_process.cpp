// Needs: no driver
#include "base/os_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "base/os_library.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"

using namespace anycl;

namespace {

/// Exit code of `body` run in a forked child.
template <class Body>
int in_forked_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) test::end_forked_child(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("the fork generation rises in a child and stays in the parent", "[base][os_process]") {
  os::watch_forks();
  os::watch_forks();
  const auto before = os::fork_generation();

  const int risen = in_forked_child([&] { return static_cast<int>(os::fork_generation() - before); });
  const int risen_twice = in_forked_child(
      [&] { return in_forked_child([&] { return static_cast<int>(os::fork_generation() - before); }); });

  CHECK(risen == 1);
  CHECK(risen_twice == 2);
  CHECK(os::fork_generation() == before);
}

TEST_CASE("the processor's features are one fixed text", "[base][os_process]") {
  const std::string& first = os::processor_features();

  CHECK(first.size() > 2);
  CHECK(&first == &os::processor_features());
}

TEST_CASE("an ordinary process is not privileged and has a home", "[base][os_process]") {
  CHECK_FALSE(os::is_privileged());
  REQUIRE(os::home_from_passwd().has_value());
  CHECK(os::home_from_passwd()->front() == '/');
}

TEST_CASE("a user who is in no list of users has no home", "[base][os_process]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can become somebody else");

  const int homes = in_forked_child([] {
    if (::setresuid(54'321, 0, 0) != 0) return 2;  // the real user is the one who is asked about
    return os::home_from_passwd().has_value() ? 1 : 0;
  });

  CHECK(homes == 0);
}

TEST_CASE("a library that is not there says why", "[base][os_process]") {
  const auto library = os::Library::open("libanycl-no-such-library.so.7");

  CHECK_FALSE(static_cast<bool>(library));
  CHECK(library.problem().find("libanycl-no-such-library.so.7") != std::string::npos);
  CHECK(library.find("main") == nullptr);
}

TEST_CASE("code knows the file it came from", "[base][os_process]") {
  const auto library = os::Library::open("libc.so.6");

  CHECK(os::file_of(library.find("getpid")).find("libc.so.6") != std::string::npos);
  CHECK(os::file_of(nullptr).empty());
}

TEST_CASE("a library that nobody has opened is not opened by asking", "[base][os_process]") {
  // Part of the C library, and used by none of its other parts.
  const auto before = os::Library::find_loaded("libanl.so.1");
  const auto opened = os::Library::open("libanl.so.1");
  if (!opened) ANYCL_SKIP(opened.problem());

  CHECK_FALSE(static_cast<bool>(before));
  CHECK(os::Library::find_loaded("libanl.so.1").file() == opened.file());
  CHECK_FALSE(opened.file().empty());
}
