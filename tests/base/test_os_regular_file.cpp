// Needs: no driver
#include "base/os_regular_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/catch.hpp"
#include "support/folder.hpp"

using namespace anycl;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLimit = 10'000;

}  // namespace

TEST_CASE("a regular file is read whole, through links and up to its limit", "[base][os_regular_file]") {
  const auto size = GENERATE(as<std::size_t>{}, 0, 1, 4096, 4097, kLimit);
  const test::Folder folder;
  const std::string text(size, 'x');
  test::write_file(folder.file("file"), text);
  fs::create_symlink(folder.file("file"), folder.file("link"));

  for (const char* name : {"file", "link"}) {
    const auto content = os::read_regular_file(folder.file(name), kLimit);

    CHECK(content.text == text);
    CHECK(content.problem.empty());
  }
}

TEST_CASE("a file that does not know its size is read all the same", "[base][os_regular_file]") {
  const auto content = os::read_regular_file("/proc/self/status", kLimit);

  CHECK(content.problem.empty());
  CHECK_FALSE(content.text.empty());
}

TEST_CASE("whatever else lies there is told, and not waited for", "[base][os_regular_file]") {
  const test::Folder folder;
  const std::string path = folder.file("odd");
  std::string told = "it is no regular file";
  bool odd = true;
  SECTION("FIFO") { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }
  SECTION("folder") { fs::create_directory(path); }
  SECTION("device") { fs::create_symlink("/dev/zero", path); }
  SECTION("large") {
    test::write_file(path, "x");
    fs::resize_file(path, std::uintmax_t{1} << 30);
    told = "it holds more than 10000 bytes";
  }
  SECTION("missing") {
    told = "No such file or directory";
    odd = false;
  }
  SECTION("loop") {
    fs::create_symlink(path, path);
    told = "Too many levels of symbolic links";
    odd = false;
  }
  SECTION("closed") {
    if (::geteuid() == 0) ANYCL_SKIP("root can read any file");
    test::write_file(path, "x");
    fs::permissions(path, fs::perms::none);
    told = "Permission denied";
    odd = false;
  }

  const auto content = os::read_regular_file(path, kLimit);

  CHECK(content.problem == told);
  CHECK(content.text.empty());
  CHECK(content.odd == odd);
}
