// Needs: no driver
#include "base/os_confined_folder.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/random.hpp"

using namespace anycl;
using os::ConfinedFile;
using os::ConfinedFolder;
using Outcome = ConfinedFile::Outcome;
using Way = ConfinedFolder::Way;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLimit = 1000;

ConfinedFolder opened(const fs::path& path) {
  std::string problem;
  auto folder = ConfinedFolder::open(path, problem);
  if (!folder) FAIL(problem);
  return std::move(*folder);
}

/// A folder "root" with files, beside a file that is not to be read.
struct Tree {
  Tree() {
    fs::create_directories(root() / "sub/deep");
    test::write_file(root() / "file", "in root");
    test::write_file(root() / "sub/file", "in sub");
    test::write_file(folder.file("secret"), "secret");
  }
  [[nodiscard]] fs::path root() const { return folder.path() / "root"; }
  [[nodiscard]] ConfinedFile read(const std::string& path, Way way) const {
    return opened(root()).read(path, kLimit, way);
  }

  test::Folder folder;
};

/// What the way leads to by the rules, told by other means than those of the library: every link is resolved in text.
/// Nothing: there is no such file below `root`.
std::optional<std::string> followed_in_text(const fs::path& root, fs::path left, bool& leaves) {
  fs::path here;
  for (int links = 0; links <= 40 && !left.empty();) {
    const fs::path part = *left.begin();
    left = left.lexically_relative(part);
    if (left == ".") left.clear();
    if (part == "..") {
      if (here.empty()) leaves = true;
      if (leaves) return std::nullopt;
      here = here.parent_path();
      continue;
    }
    const fs::path there = root / here / part;
    if (fs::is_symlink(there)) {
      ++links;
      const fs::path target = fs::read_symlink(there);
      leaves = target.is_absolute();
      if (leaves) return std::nullopt;
      left = left.empty() ? target : target / left;
      continue;
    }
    if (!fs::exists(there) || (!left.empty() && !fs::is_directory(there))) return std::nullopt;
    here /= part;
  }
  if (!left.empty() || !fs::is_regular_file(root / here)) return std::nullopt;
  return test::read_file(root / here);
}

}  // namespace

TEST_CASE("files below a folder are read, however the way is written", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;

  CHECK(tree.read("file", way).text == "in root");
  for (const char* path : {"sub/file", "./sub//./file", "sub/deep/../file", "sub/../sub/file"}) {
    CAPTURE(path);
    CHECK(tree.read(path, way).outcome == Outcome::read);
    CHECK(tree.read(path, way).text == "in sub");
  }
  CHECK(tree.read("sub/file", way).identity == tree.read("sub/deep/../file", way).identity);
  CHECK(tree.read("sub/file", way).identity != tree.read("file", way).identity);
}

TEST_CASE("what is not there is missing", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const auto path = GENERATE(as<std::string>{}, "", "nothing", "nothing/file", "file/file", "sub/nothing",
                             std::string(300, 'x'), std::string("file\0x", 6));

  CHECK(Tree().read(path, way).outcome == Outcome::missing);
}

TEST_CASE("no way that is written out leaves the folder", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;
  const auto path =
      GENERATE(as<std::string>{}, "..", "../secret", "../root/file", "sub/../../secret", "/etc/passwd", "/");

  const ConfinedFile file = tree.read(path, way);

  CHECK(file.outcome == Outcome::outside);
  CHECK(file.text.empty());
}

TEST_CASE("links are followed below the folder and not out of it", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;
  const auto link = [&](const std::string& target, const std::string& name) {
    fs::create_symlink(target, tree.root() / name);
  };
  link("sub/file", "inside");
  link("sub", "folder");
  link("../file", "sub/up");
  link("inside", "twice");
  link("../secret", "outside");
  link("..", "parent");
  link("/etc/passwd", "absolute");
  link((tree.root() / "file").string(), "absolute_inside");
  link("/proc/self/root", "magic");
  link("loop", "loop");
  link("nothing", "dangling");

  CHECK(tree.read("inside", way).text == "in sub");
  CHECK(tree.read("twice", way).text == "in sub");
  CHECK(tree.read("folder/file", way).text == "in sub");
  CHECK(tree.read("sub/up", way).text == "in root");
  CHECK(tree.read("dangling", way).outcome == Outcome::missing);
  for (const char* path : {"outside", "parent/secret", "parent/root/file", "absolute", "absolute_inside",
                           "magic/etc/passwd", "folder/../outside"}) {
    const ConfinedFile file = tree.read(path, way);
    CAPTURE(path, file.problem);
    CHECK(file.outcome == Outcome::refused);
    CHECK(file.text.empty());
    CHECK(file.problem == "is reached by a symbolic link that leaves the folder");
  }
  CHECK(tree.read("loop", way).problem == "is reached by too many symbolic links");
}

TEST_CASE("what is not a plain file is refused without a wait", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;
  REQUIRE(::mkfifo((tree.root() / "fifo").c_str(), 0600) == 0);
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = tree.root() / "socket";
  REQUIRE(socket_path.size() < sizeof address.sun_path);
  std::strcpy(address.sun_path, socket_path.c_str());
  REQUIRE(::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);

  CHECK(tree.read("fifo", way).problem == "is not a plain file");
  CHECK(tree.read("socket", way).problem == "is not a plain file");
  CHECK(tree.read("sub", way).problem == "is a folder");
  CHECK(tree.read(".", way).problem == "is a folder");
  CHECK(opened("/dev").read("null", kLimit, way).problem == "is not a plain file");
  CHECK(opened("/dev").read("zero", kLimit, way).outcome == Outcome::refused);
  ::close(server);
}

TEST_CASE("a file over the limit is refused, whatever it says of its size", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;
  test::write_file(tree.root() / "most", std::string(kLimit, 'x'));
  test::write_file(tree.root() / "more", std::string(kLimit + 1, 'x'));

  CHECK(tree.read("most", way).text.size() == kLimit);
  CHECK(tree.read("more", way).problem == "has over 1000 bytes");
  CHECK(opened("/proc/self").read("status", 10, way).problem == "has over 10 bytes");  // says it has 0
  CHECK(opened("/proc/self").read("status", 1 << 20, way).text.starts_with("Name:"));
}

TEST_CASE("a file that may not be read is refused with the system's reason", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;
  const ConfinedFolder root = opened(tree.root());
  ::chmod((tree.root() / "file").c_str(), 0);
  constexpr uid_t kSomebodyElse = 65534;
  const uid_t before = ::geteuid();
  if (before == 0) REQUIRE(::seteuid(kSomebodyElse) == 0);  // root may read everything

  const ConfinedFile file = root.read("file", kLimit, way);

  REQUIRE(::seteuid(before) == 0);
  CHECK(file.problem == "cannot be opened: Permission denied");
}

TEST_CASE("a folder that is not there has a reason", "[os_confined_folder]") {
  const test::Folder folder;
  std::string problem;

  CHECK_FALSE(ConfinedFolder::open(folder.file("nothing"), problem).has_value());
  CHECK(problem == "cannot open folder '" + folder.file("nothing") + "': No such file or directory");
}

TEST_CASE("a folder stays the one that was opened", "[os_confined_folder]") {
  const Tree tree;
  const ConfinedFolder root = opened(tree.root());

  fs::rename(tree.root(), tree.folder.path() / "moved");
  fs::create_directory(tree.root());
  test::write_file(tree.root() / "file", "another");

  CHECK(root.read("file", kLimit).text == "in root");
}

TEST_CASE("both ways lead where links in text lead", "[os_confined_folder]") {
  test::Random random(7);
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const auto any_path = [&](std::size_t most) {
    std::string path;
    for (std::size_t i = 0, parts = 1 + random.below(most); i < parts; ++i)
      path += (i > 0 ? "/" : "") + (random.below(4) == 0 ? std::string("..") : names[random.below(names.size())]);
    return path;
  };
  std::size_t read = 0;
  std::size_t left = 0;
  for (int round = 0; round < 60; ++round) {
    const test::Folder folder;
    const fs::path root = folder.path() / "root";
    fs::create_directory(root);
    for (int i = 0; i < 12; ++i) {
      const fs::path there = root / any_path(3);
      std::error_code ignored;
      if (i % 3 == 0) fs::create_directories(there, ignored);
      if (i % 3 == 1) test::write_file(there, std::to_string(i));
      if (i % 3 == 2) fs::create_symlink(any_path(3), there, ignored);
    }
    const ConfinedFolder confined = opened(root);
    for (int i = 0; i < 100; ++i) {
      const std::string path = any_path(4);
      bool leaves = false;
      const auto want = followed_in_text(root, path, leaves);
      for (const Way way : {Way::best, Way::walk}) {
        const ConfinedFile got = confined.read(path, kLimit, way);
        CAPTURE(round, path, got.problem, static_cast<int>(way));
        CHECK((got.outcome == Outcome::read) == want.has_value());
        CHECK(got.text == want.value_or(""));
        if (leaves) CHECK(got.outcome != Outcome::missing);
      }
      read += want ? 1 : 0;
      left += leaves ? 1 : 0;
    }
  }
  CHECK(read > 100);
  CHECK(left > 200);
}

TEST_CASE("a link put in a folder's place while it is passed through leads nowhere", "[os_confined_folder]") {
  const auto way = GENERATE(Way::best, Way::walk);
  const Tree tree;
  test::write_file(tree.root() / "sub/secret", "not secret");
  const ConfinedFolder root = opened(tree.root());
  std::atomic<bool> stop{false};
  std::thread attacker([&] {  // "sub" is a folder or a link to where the secret is, in turn
    fs::create_symlink("..", tree.root() / "link");
    while (!stop) {
      std::error_code ignored;
      fs::rename(tree.root() / "sub", tree.root() / "kept", ignored);
      fs::rename(tree.root() / "link", tree.root() / "sub", ignored);
      fs::rename(tree.root() / "sub", tree.root() / "link", ignored);
      fs::rename(tree.root() / "kept", tree.root() / "sub", ignored);
    }
  });

  std::size_t read = 0;
  std::size_t leaked = 0;
  for (int i = 0; i < 20000; ++i) {
    const ConfinedFile file = root.read("sub/secret", kLimit, way);
    read += file.text == "not secret" ? 1 : 0;
    leaked += file.text == "secret" ? 1 : 0;
  }
  stop = true;
  attacker.join();

  CHECK(leaked == 0);
  CHECK(read > 0);
}
