// Needs: no driver
#include "device/vendor_folder.hpp"

#include <filesystem>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("a private vendor folder holds the files asked for and goes away", "[device][vendor_folder]") {
  const test::Folder vendors;
  test::write_file(vendors.file("one.icd"), "libone.so\n");
  test::write_file(vendors.file("two.icd"), "libtwo.so");
  fs::create_symlink(vendors.file("two.icd"), vendors.file("link.icd"));
  std::string problem;
  std::string path;
  {
    const auto folder = detail::PrivateVendorFolder::make(
        {{.icd = vendors.file("one.icd")}, {.icd = vendors.file("link.icd")}}, problem);
    REQUIRE(folder.has_value());
    path = folder->path();

    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    CHECK(test::read_file(path + "0-one.icd") == "libone.so\n");
    CHECK(test::read_file(path + "1-link.icd") == "libtwo.so");
    CHECK(folder->variables() == std::vector<std::string>{"OCL_ICD_VENDORS=" + path, "OCL_ICD_FILENAMES"});
  }

  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a private vendor folder says which variables name the other drivers", "[device][vendor_folder]") {
  const auto [variable, vendors] =
      GENERATE(table<std::string, bool>({{"OCL_ICD_VENDORS", true}, {"OCL_ICD_FILENAMES", false}}));
  std::string problem;

  const auto one = detail::PrivateVendorFolder::make({{.library = "libone.so", .variable = variable}}, problem);
  const auto two = detail::PrivateVendorFolder::make(
      {{.library = "libone.so", .variable = variable}, {.library = "libtwo.so", .variable = "OCL_ICD_FILENAMES"}},
      problem);

  REQUIRE((one.has_value() && two.has_value()));
  using Variables = std::vector<std::string>;
  if (vendors) {
    CHECK(one->variables() == Variables{"OCL_ICD_VENDORS=libone.so", "OCL_ICD_FILENAMES"});
    CHECK(two->variables() == Variables{"OCL_ICD_VENDORS=libone.so", "OCL_ICD_FILENAMES=libtwo.so"});
  } else {
    CHECK(one->variables() == Variables{"OCL_ICD_VENDORS=" + one->path(), "OCL_ICD_FILENAMES=libone.so"});
    CHECK(two->variables() == Variables{"OCL_ICD_VENDORS=" + two->path(), "OCL_ICD_FILENAMES=libone.so:libtwo.so"});
  }
}

TEST_CASE("a place that takes no private vendor folder is told", "[device][vendor_folder]") {
  const test::Folder place;
  const test::Variable variable("TMPDIR", place.file("missing"));
  std::string problem;

  CHECK_FALSE(detail::PrivateVendorFolder::make({}, problem).has_value());

  CHECK_THAT(problem, Contains("set TMPDIR"));
  CHECK(detail::PrivateVendorFolder::make({}, problem, place.path()).has_value());
}
