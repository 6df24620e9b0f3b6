// Needs: no driver
#include "base/os_temporary_folder.hpp"

#include <filesystem>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("a temporary folder is private, and gone with all that is in it", "[base][os_temporary_folder]") {
  std::string problem;
  std::string path;
  {
    const auto folder = os::TemporaryFolder::make(problem);
    REQUIRE(folder.has_value());
    path = folder->path();
    test::write_file(path + "/file", "content");

    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    CHECK(os::TemporaryFolder::make(problem)->path() != path);
  }

  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a place that takes no temporary folder is told", "[base][os_temporary_folder]") {
  const test::Folder place;
  const test::Variable variable("TMPDIR", place.file("missing"));
  std::string problem;

  CHECK_FALSE(os::TemporaryFolder::make(problem).has_value());

  CHECK_THAT(problem, Contains("set TMPDIR"));
}

TEST_CASE("a temporary folder is made in another place where the usual one takes none", "[base][os_temporary_folder]") {
  const test::Folder place;
  const test::Variable variable("TMPDIR", place.file("missing"));
  std::string problem;

  const auto folder = os::TemporaryFolder::make(problem, place.path());

  REQUIRE(folder.has_value());
  CHECK(fs::path(folder->path()).parent_path() == place.path());
  CHECK_FALSE(os::TemporaryFolder::make(problem, place.file("missing too")).has_value());
  CHECK_THAT(problem, Contains("no folder for temporary files: "));  // of the usual place
}

TEST_CASE("a temporary folder is made where it is asked for", "[base][os_temporary_folder]") {
  const test::Folder place;
  std::string problem;

  const auto folder = os::TemporaryFolder::make_in(place.path(), problem);

  REQUIRE(folder.has_value());
  CHECK(fs::path(folder->path()).parent_path() == place.path());
  CHECK_FALSE(os::TemporaryFolder::make_in(place.file("missing"), problem).has_value());
  CHECK_THAT(problem, Contains(place.file("missing")));
}
