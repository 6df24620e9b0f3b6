// Needs: no driver
#include "device/vendor_folder.hpp"

#include <filesystem>

#include "support/catch.hpp"
#include "support/folder.hpp"

using namespace anycl;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

TEST_CASE("a private vendor folder holds the files asked for and goes away", "[device][vendor_folder]") {
  const test::Folder vendors;
  test::write_file(vendors.file("one.icd"), "libone.so\n");
  test::write_file(vendors.file("two.icd"), "libtwo.so");
  fs::create_symlink(vendors.file("two.icd"), vendors.file("link.icd"));
  std::string problem;
  std::string path;
  {
    const auto folder = detail::PrivateVendorFolder::make({vendors.file("one.icd"), vendors.file("link.icd")}, problem);
    REQUIRE(folder.has_value());
    path = folder->path();

    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    CHECK(test::read_file(path + "0-one.icd") == "libone.so\n");
    CHECK(test::read_file(path + "1-link.icd") == "libtwo.so");
    CHECK(folder->variables() == std::vector<std::string>{"OCL_ICD_VENDORS=" + path, "OCL_ICD_FILENAMES"});
  }

  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a driver file that cannot be copied is told, and leaves no folder", "[device][vendor_folder]") {
  const test::Folder vendors;
  std::string problem;

  CHECK_FALSE(detail::PrivateVendorFolder::make({vendors.file("missing.icd")}, problem).has_value());

  CHECK_THAT(problem, StartsWith("cannot copy " + vendors.file("missing.icd")));
}
