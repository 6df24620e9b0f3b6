// Needs: no driver
#include "base/os_folder_lock.hpp"

#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"

using namespace anycl;
using namespace std::chrono_literals;
using os::FolderLock;

TEST_CASE("one holds a folder's lock at a time", "[base][os_folder_lock]") {
  const test::Folder folder;
  {
    const FolderLock first(folder.path(), 0ms);
    REQUIRE(first.is_held());
    CHECK_FALSE(FolderLock(folder.path(), 0ms).is_held());
    CHECK(test::in_forked_child([&] { return FolderLock(folder.path(), 0ms).is_held() ? 1 : 0; }) == 0);
  }
  CHECK(FolderLock(folder.path(), 0ms).is_held());
  CHECK(folder.names().empty());
}

TEST_CASE("who waits for a folder's lock gets it when it is free", "[base][os_folder_lock]") {
  const test::Folder folder;
  std::optional<FolderLock> first(std::in_place, folder.path(), 0ms);
  bool held = false;

  std::thread other([&] { held = FolderLock(folder.path(), 60s).is_held(); });
  first.reset();
  other.join();

  CHECK(held);
}

TEST_CASE("without its folder a lock holds nothing", "[base][os_folder_lock]") {
  const test::Folder folder;
  test::write_file(folder.file("plain"), "");

  CHECK_FALSE(FolderLock(folder.file("none"), 60s).is_held());
  CHECK_FALSE(FolderLock(folder.file("plain"), 60s).is_held());
}

TEST_CASE("a process that ends lets go of a folder's lock", "[base][os_folder_lock]") {
  const test::Folder folder;
  REQUIRE(test::in_forked_child([&] {
            const FolderLock lock(folder.path(), 0ms);
            test::end_forked_child(lock.is_held() ? 0 : 1);  // no destructor runs
            return 1;
          }) == 0);

  CHECK(FolderLock(folder.path(), 0ms).is_held());
}

TEST_CASE("a child that was forked while a folder was locked does not keep it", "[base][os_folder_lock]") {
  const test::Folder folder;
  std::optional<FolderLock> lock(std::in_place, folder.path(), 0ms);
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    ::close(ends[1]);
    const bool asked = ::read(ends[0], &byte, 1) == 0;  // until the parent has looked
    test::end_forked_child(asked ? 0 : 1);
  }
  REQUIRE(child > 0);

  lock.reset();
  const bool free = FolderLock(folder.path(), 0ms).is_held();
  ::close(ends[1]);
  ::close(ends[0]);

  CHECK(test::wait_for_child(child, 10s) == 0);
  CHECK(free);
}
