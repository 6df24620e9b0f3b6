// Needs: no driver
#include "base/os_file.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"

using namespace anycl;
using os::Bytes;
using os::PrivateFolder;

namespace {

constexpr std::size_t kLimit = 1 << 20;
constexpr uid_t kSomebodyElse = 65534;

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

PrivateFolder opened(const std::string& path) {
  std::string problem;
  auto folder = PrivateFolder::open(path, problem);
  if (!folder) FAIL(problem);
  return std::move(*folder);
}

/// The reason why `path` cannot serve; empty when it can.
std::string problem_with(const std::string& path) {
  std::string problem;
  return PrivateFolder::open(path, problem) ? "" : problem;
}

/// True when no file is left that a failed or half-done write would leave.
bool clean(const test::Folder& folder) {
  for (const std::string& name : folder.names())
    if (name.starts_with(".tmp")) return false;
  return true;
}

/// Not for symlinks: it follows them.
void make_older(const std::string& path, std::chrono::seconds age) {
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
}

mode_t mode_of(const std::string& path) {
  struct stat facts {};
  ::stat(path.c_str(), &facts);
  return facts.st_mode & 07777;
}

}  // namespace

TEST_CASE("what is stored comes back, private to the user", "[base][os_file]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  const Bytes content = bytes_of(std::string(300000, 'x') + "end");
  std::string problem;

  REQUIRE(folder.replace("entry", content, problem));

  CHECK(folder.read("entry", kLimit) == content);
  CHECK(mode_of(place.file("entry")) == 0600);
  CHECK(place.names() == std::vector<std::string>{"entry"});
}

TEST_CASE("an empty file is empty content, not a missing file", "[base][os_file]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;

  REQUIRE(folder.replace("entry", {}, problem));

  CHECK(folder.read("entry", kLimit) == Bytes{});
  CHECK(folder.read("other", kLimit) == std::nullopt);
}

TEST_CASE("missing folders are made for this user alone", "[base][os_file]") {
  const test::Folder place;
  const ::mode_t before = ::umask(0);

  const PrivateFolder folder = opened(place.file("a/b/c"));
  ::umask(before);

  CHECK(mode_of(place.file("a")) == 0700);
  CHECK(mode_of(place.file("a/b/c")) == 0700);
}

TEST_CASE("a folder that others may write to is refused", "[base][os_file][OCL-100]") {
  const auto mode = GENERATE(as<mode_t>{}, 0777, 0770, 0707, 01777, 0720, 0702);
  const test::Folder place;
  ::chmod(place.path().c_str(), mode);

  CHECK(problem_with(place.path()) ==
        "folder " + place.path().string() + " belongs to another user or is writable by others");
  ::chmod(place.path().c_str(), 0700);
}

TEST_CASE("a folder that others may only read is fine", "[base][os_file]") {
  const test::Folder place;
  ::chmod(place.path().c_str(), 0755);

  CHECK(problem_with(place.path()).empty());
}

TEST_CASE("a folder of another user is refused", "[base][os_file][OCL-100]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can give a folder away");
  const test::Folder place;
  REQUIRE(::chown(place.path().c_str(), kSomebodyElse, kSomebodyElse) == 0);

  CHECK(problem_with(place.path()).find("belongs to another user") != std::string::npos);
}

TEST_CASE("a symlink in the folder's place is not followed", "[base][os_file][OCL-100]") {
  const test::Folder place;
  std::filesystem::create_directory(place.file("real"));
  std::filesystem::create_symlink(place.file("real"), place.file("link"));

  CHECK(problem_with(place.file("link")) == "cannot open folder " + place.file("link") + ": it is a symbolic link");
}

TEST_CASE("a path that is no absolute folder is refused with its name", "[base][os_file]") {
  const test::Folder place;
  test::write_file(place.file("plain"), "x");

  CHECK(problem_with("") == "'' is not an absolute path");
  CHECK(problem_with("relative/path") == "'relative/path' is not an absolute path");
  CHECK(problem_with(place.file("plain")).find(place.file("plain")) != std::string::npos);
  CHECK(problem_with(place.file("plain/below")).find(place.file("plain/below")) != std::string::npos);
  CHECK(problem_with("/proc/no-such-folder").find("/proc/no-such-folder") != std::string::npos);
}

TEST_CASE("only a plain private file is read", "[base][os_file][OCL-101]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  const std::string entry = place.file("entry");
  test::write_file(place.file("target"), "content");
  ::chmod(place.file("target").c_str(), 0600);

  SECTION("not a symlink") { std::filesystem::create_symlink(place.file("target"), entry); }
  SECTION("not a dangling symlink") { std::filesystem::create_symlink(place.file("nothing"), entry); }
  SECTION("not one name of two") { std::filesystem::create_hard_link(place.file("target"), entry); }
  SECTION("not a folder") { std::filesystem::create_directory(entry); }
  SECTION("not a FIFO, and without waiting for its writer") { REQUIRE(::mkfifo(entry.c_str(), 0600) == 0); }
  SECTION("not one the group may write to") {
    test::write_file(entry, "content");
    ::chmod(entry.c_str(), 0620);
  }
  SECTION("not one that all may write to") {
    test::write_file(entry, "content");
    ::chmod(entry.c_str(), 0606);
  }
  SECTION("not a huge sparse file") {
    test::write_file(entry, "content");
    ::chmod(entry.c_str(), 0600);
    std::filesystem::resize_file(entry, std::uintmax_t{4} << 30);
  }
  SECTION("not one byte over the limit") {
    test::write_file(entry, std::string(kLimit + 1, 'x'));
    ::chmod(entry.c_str(), 0600);
  }

  CHECK(folder.read("entry", kLimit) == std::nullopt);
}

TEST_CASE("a file of another user is not read", "[base][os_file][OCL-101]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can give a file away");
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;
  REQUIRE(folder.replace("entry", bytes_of("x"), problem));
  REQUIRE(::chown(place.file("entry").c_str(), kSomebodyElse, kSomebodyElse) == 0);

  CHECK(folder.read("entry", kLimit) == std::nullopt);
}

TEST_CASE("a file of exactly the limit is read", "[base][os_file]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;
  REQUIRE(folder.replace("entry", Bytes(kLimit), problem));

  CHECK(folder.read("entry", kLimit) == Bytes(kLimit));
}

TEST_CASE("a file that ends before its size says is nothing", "[base][os_file]") {
  // The kernel gives such files the size of a page and the content of a word.
  const std::string folder = "/sys/kernel/mm/transparent_hugepage";
  if (::geteuid() != 0 || ::access(folder.c_str(), R_OK) != 0) ANYCL_SKIP("needs root and " + folder);

  CHECK_FALSE(opened(folder).read("enabled", kLimit).has_value());
}

TEST_CASE("replacing drops a planted link and leaves its target alone", "[base][os_file][OCL-101]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  test::write_file(place.file("target"), "precious");
  std::filesystem::create_symlink(place.file("target"), place.file("entry"));
  std::string problem;

  REQUIRE(folder.replace("entry", bytes_of("new"), problem));

  CHECK(test::read_file(place.file("target")) == "precious");
  CHECK(folder.read("entry", kLimit) == bytes_of("new"));
}

TEST_CASE("a write that cannot be done says why and leaves nothing", "[base][os_file][OCL-091]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;

  SECTION("a folder stands in the way") {
    std::filesystem::create_directory(place.file("entry"));
    CHECK_FALSE(folder.replace("entry", bytes_of("x"), problem));
  }
  SECTION("the folder is gone") {
    std::filesystem::remove(place.path());
    CHECK_FALSE(folder.replace("entry", bytes_of("x"), problem));
    std::filesystem::create_directory(place.path());
  }
  SECTION("creating where the folder is gone") {
    std::filesystem::remove(place.path());
    CHECK_FALSE(folder.create("entry", bytes_of("x"), problem));
    std::filesystem::create_directory(place.path());
  }

  CHECK_FALSE(problem.empty());
  CHECK(clean(place));
}

TEST_CASE("a folder without write permission takes nothing", "[base][os_file][OCL-091]") {
  if (::geteuid() == 0) ANYCL_SKIP("root may write everywhere");
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  ::chmod(place.path().c_str(), 0500);
  std::string problem;

  CHECK_FALSE(folder.replace("entry", bytes_of("x"), problem));

  CHECK(problem == "Permission denied");
  ::chmod(place.path().c_str(), 0700);
}

TEST_CASE("a full disk says so and leaves nothing", "[base][os_file][OCL-091]") {
  const test::Folder place;
  if (::mount("tmpfs", place.path().c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0)
    ANYCL_SKIP("no right to mount a small file system");
  {
    const PrivateFolder folder = opened(place.path());
    std::string problem;

    CHECK_FALSE(folder.replace("entry", Bytes(1 << 20), problem));

    CHECK(problem == "No space left on device");
    CHECK(place.names().empty());
  }
  ::umount(place.path().c_str());
}

TEST_CASE("a file over the limit of the process says so and does not end it", "[base][os_file][OCL-091]") {
  const test::Folder place;
  const auto code = test::in_forked_child([&] {
    const PrivateFolder folder = opened(place.path());
    const rlimit limit{8, 8};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::string problem;
    const bool long_one = folder.replace("long", Bytes(9), problem);
    const bool told = problem == "File too large";
    return !long_one && told && folder.replace("short", Bytes(8), problem) ? 0 : 1;
  });

  CHECK(code == 0);
  CHECK(place.names() == std::vector<std::string>{"short"});
}

TEST_CASE("a read-only file system can be read and says why it cannot be written", "[base][os_file][OCL-091]") {
  const test::Folder place;
  if (::mount("tmpfs", place.path().c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0)
    ANYCL_SKIP("no right to mount a small file system");
  {
    const PrivateFolder folder = opened(place.path());
    std::string problem;
    REQUIRE(folder.replace("entry", bytes_of("x"), problem));
    REQUIRE(::mount("tmpfs", place.path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "") == 0);

    CHECK(folder.read("entry", kLimit) == bytes_of("x"));
    CHECK_FALSE(folder.replace("entry", bytes_of("y"), problem));
    CHECK(problem == "Read-only file system");
    CHECK_FALSE(folder.create("other", bytes_of("y"), problem));
    CHECK(place.names() == std::vector<std::string>{"entry"});
  }
  ::umount(place.path().c_str());
}

TEST_CASE("creating keeps what is there", "[base][os_file]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;

  CHECK(folder.create("secret", bytes_of("first"), problem));
  CHECK_FALSE(folder.create("secret", bytes_of("second"), problem));

  CHECK(problem.empty());
  CHECK(folder.read("secret", kLimit) == bytes_of("first"));
  CHECK(clean(place));
}

TEST_CASE("creating what the file system cannot name says why and leaves nothing", "[base][os_file][OCL-091]") {
  const test::Folder place;
  std::string problem;

  CHECK_FALSE(opened(place.path()).create(std::string(300, 'x'), bytes_of("new"), problem));

  CHECK(problem == "File name too long");
  CHECK(place.names().empty());
}

TEST_CASE("of many threads that create one file, one does, and all can read it at once", "[base][os_file][OCL-085]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());

  for (int round = 0; round < 100; ++round) {
    std::atomic<int> created{0};
    std::atomic<int> unreadable{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::string problem;
        if (folder.create("secret", bytes_of("from " + std::to_string(t)), problem)) ++created;
        if (!problem.empty() || !folder.read("secret", kLimit)) ++unreadable;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(created == 1);
    CHECK(unreadable == 0);
    folder.remove("secret");
  }
  CHECK(clean(place));
}

TEST_CASE("a reader sees the old file or the new one, never a part", "[base][os_file][OCL-085]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;
  const Bytes one(200000, std::byte{1});
  const Bytes two(100000, std::byte{2});
  REQUIRE(folder.replace("entry", one, problem));
  std::atomic<bool> stop{false};
  bool torn = false;

  std::thread reader([&] {
    while (!stop) {
      const auto seen = folder.read("entry", kLimit);
      torn |= !seen || (*seen != one && *seen != two);
    }
  });
  for (int i = 0; i < 300; ++i) static_cast<void>(folder.replace("entry", i % 2 == 0 ? two : one, problem));
  stop = true;
  reader.join();

  CHECK_FALSE(torn);
  CHECK(clean(place));
}

TEST_CASE("removing what is not there is fine", "[base][os_file]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::string problem;
  REQUIRE(folder.replace("entry", bytes_of("x"), problem));

  folder.remove("entry");
  folder.remove("entry");

  CHECK(place.names().empty());
}

TEST_CASE("what killed writers left is removed once it is old", "[base][os_file][OCL-085]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  for (const char* name : {".tmp-old", ".tmp-young", "entry", ".other"}) test::write_file(place.file(name), "part");
  std::filesystem::create_directory(place.file(".tmp-folder"));
  REQUIRE(::mkfifo(place.file(".tmp-fifo").c_str(), 0600) == 0);
  for (const char* name : {".tmp-old", "entry", ".other", ".tmp-folder", ".tmp-fifo"})
    make_older(place.file(name), std::chrono::minutes(61));
  std::filesystem::create_symlink("entry", place.file(".tmp-link"));
  make_older(place.file(".tmp-young"), std::chrono::minutes(59));

  folder.remove_leftovers(std::chrono::hours(1));

  auto left = place.names();
  std::sort(left.begin(), left.end());
  CHECK(left == std::vector<std::string>{".other", ".tmp-fifo", ".tmp-folder", ".tmp-link", ".tmp-young", "entry"});
}

TEST_CASE("what is not this user's alone is no leftover of ours", "[base][os_file][OCL-101]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can give a file away");
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  for (const char* name : {".tmp-foreign", ".tmp-for-all"}) {
    test::write_file(place.file(name), "part");
    make_older(place.file(name), std::chrono::hours(2));
  }
  REQUIRE(::chown(place.file(".tmp-foreign").c_str(), kSomebodyElse, kSomebodyElse) == 0);
  ::chmod(place.file(".tmp-for-all").c_str(), 0666);

  folder.remove_leftovers(std::chrono::hours(1));

  CHECK(place.names().size() == 2);
}

TEST_CASE("a folder that is gone has no leftovers", "[base][os_file]") {
  const test::Folder place;
  const PrivateFolder folder = opened(place.path());
  std::filesystem::remove(place.path());

  folder.remove_leftovers(std::chrono::hours(1));

  CHECK_FALSE(std::filesystem::exists(place.path()));
}

TEST_CASE("a file's identity changes with it and stays otherwise", "[base][os_file]") {
  const test::Folder folder;
  const std::string file = folder.file("file");
  const std::string link = folder.file("link");
  test::write_file(file, "1");
  std::filesystem::create_symlink(file, link);
  const std::string before = os::file_identity(file);

  CHECK_FALSE(before.empty());
  CHECK(os::file_identity(file) == before);
  CHECK(os::file_identity(link) == before);
  test::write_file(file, "12");
  const std::string grown = os::file_identity(file);
  CHECK(grown != before);
  std::filesystem::last_write_time(file, std::filesystem::file_time_type{});
  const std::string aged = os::file_identity(link);
  CHECK(aged != grown);
  std::filesystem::copy_file(file, folder.file("copy"));
  std::filesystem::last_write_time(folder.file("copy"), std::filesystem::file_time_type{});
  std::filesystem::rename(folder.file("copy"), file);
  CHECK(os::file_identity(file) != aged);
  CHECK(os::file_identity(folder.file("missing")).empty());
}
