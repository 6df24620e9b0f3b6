// Needs: a driver with compiler, threads
#include "program/kernel_path.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/image/run.hpp"
#include "program/include_expander.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

using namespace anycl;

namespace {

namespace fs = std::filesystem;

constexpr EmbeddedFile kFiles[] = {
    {"app/main.cl", "#include \"part.clh\"\nkernel void k(global int* x) { *x = PART; }\n", "1"},
    {"app/part.clh", "#define PART 1\n", "2"},
};

Source embedded() { return {kFiles[0], kFiles}; }

std::string text_of(const Source& source) { return detail::expand(detail::with_includes(source), {}); }

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  test::write_file(path.string(), text);
}

int value_of(test::Rig& rig, const Source& source) {
  Buffer<int> x(rig.context, 1);
  launch(rig.queue, Kernel(rig.context, source, "k"), 1, x);
  return to_host(x).front();
}

}  // namespace

TEST_CASE("a file of ANYCL_KERNEL_PATH serves the next kernel in an embedded one's place", "[kernel_path]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const Source source = embedded();
    CHECK(value_of(rig, source) == 1);
    const test::Variable path("ANYCL_KERNEL_PATH", folder.path().string());

    CHECK(value_of(rig, source) == 1);
    write(folder.path() / "app/part.clh", "#define PART 2\n");
    const Kernel made_before(rig.context, source, "k");
    CHECK(value_of(rig, source) == 2);
    write(folder.path() / "app/part.clh", "#define PART 3\n");
    CHECK(value_of(rig, source) == 3);
    write(folder.path() / "app/main.cl", "#include \"part.clh\"\nkernel void k(global int* x) { *x = 10 * PART; }\n");
    CHECK(value_of(rig, source) == 30);

    Buffer<int> x(rig.context, 1);
    launch(rig.queue, made_before, 1, x);
    CHECK(to_host(x).front() == 2);
  });
}

TEST_CASE("without ANYCL_KERNEL_PATH an embedded source is what was embedded", "[kernel_path]") {
  const test::Folder folder;
  write(folder.path() / "app/part.clh", "#define PART 2\n");
  const Source source = embedded();
  {
    const test::Variable path("ANYCL_KERNEL_PATH", folder.path().string());
    REQUIRE(text_of(source).find("PART 2") != std::string::npos);
  }

  CHECK(text_of(source).find("PART 1") != std::string::npos);
}

TEST_CASE("kernels of the library are edited by ANYCL_KERNEL_PATH too", "[kernel_path]") {
  const test::Folder folder;
  write(folder.path() / "image/sobel.cl", "kernel void sobel(this is no kernel);\n");
  const test::Variable path("ANYCL_KERNEL_PATH", folder.path().string());

  test::for_each_device([](test::Rig& rig) {
    image::Picture picture{8, 8, 1, std::vector<std::uint8_t>(64)};

    CHECK_THROWS_AS(image::run(rig.queue, image::Pipeline::parse("sobel"), picture), BuildError);
  });
}

TEST_CASE("an error in an edited file shows its line as it is there", "[kernel_path]") {
  const test::Folder folder;
  write(folder.path() / "app/part.clh", "// edited\n#define PART 1\nint broken(int x) { return oops; }\n");
  const test::Variable path("ANYCL_KERNEL_PATH", folder.path().string());

  test::for_each_device([](test::Rig& rig) {
    std::string text;
    try {
      static_cast<void>(value_of(rig, embedded()));
    } catch (const BuildError& error) {
      text = error.what();
    }

    CHECK(text.find("app/part.clh:3: ") != std::string::npos);
    CHECK(text.find("\n  int broken(int x) { return oops; }") != std::string::npos);
  });
}

TEST_CASE("the first folder of ANYCL_KERNEL_PATH that has the file gives it, and the log says which", "[kernel_path]") {
  const test::Folder folder;
  write(folder.path() / "one/app/main.cl", "main of one;\n");
  write(folder.path() / "two/app/main.cl", "main of two;\n");
  write(folder.path() / "two/app/part.clh", "part of two;\n");
  write(folder.path() / "two/source", "not for text of its own\n");
  const std::string here = folder.path().string();
  const test::Variable path("ANYCL_KERNEL_PATH", ":" + here + "/none:" + here + "/one::" + here + "/two:");
  set_log_level(LogLevel::info);
  const test::LogCapture log;

  const Source part(kFiles[1], kFiles);
  CHECK(text_of(embedded()) == "#line 1 \"app/main.cl\"\nmain of one;\n");
  CHECK(text_of(part) == "#line 1 \"app/part.clh\"\npart of two;\n");
  CHECK(text_of(Source("x\n")) == "#line 1 \"source\"\nx\n");

  set_log_level(LogLevel::warn);
  CHECK(log.count(LogLevel::info, "kernel source app/main.cl is read from " + here + "/one/app/main.cl") == 1);
  CHECK(log.count(LogLevel::info, "kernel source app/part.clh is read from " + here + "/two/app/part.clh") == 1);
  CHECK(log.count(LogLevel::warn,
                  "ANYCL_KERNEL_PATH: cannot open folder '" + here + "/none': No such file or directory") == 1);
  CHECK(log.count(LogLevel::warn) == 1);  // three sources, one warning
}

TEST_CASE("what is no plain file below ANYCL_KERNEL_PATH is passed by with one warning", "[kernel_path]") {
  const test::Folder folder;
  fs::create_directory(folder.path() / "app");
  write(folder.path() / "elsewhere", "secret\n");
  const fs::path place = folder.path() / "path";
  fs::create_directories(place / "app");
  const auto what = GENERATE(as<std::string>{}, "fifo", "link", "folder");
  if (what == "fifo") REQUIRE(::mkfifo((place / "app/part.clh").c_str(), 0600) == 0);
  if (what == "link") fs::create_symlink("../../elsewhere", place / "app/part.clh");
  if (what == "folder") fs::create_directory(place / "app/part.clh");
  const test::Variable path("ANYCL_KERNEL_PATH", place.string());
  const test::LogCapture log;

  for (int round = 0; round < 3; ++round) CHECK(text_of(embedded()).find("PART 1") != std::string::npos);

  CAPTURE(what, log.text());
  CHECK(log.count(LogLevel::warn, "ANYCL_KERNEL_PATH: " + place.string() + "/app/part.clh ") == 1);
  CHECK(log.count(LogLevel::warn) == 1);
}

TEST_CASE("a process with another user's rights does not follow ANYCL_KERNEL_PATH", "[kernel_path]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can take another user's rights");
  const test::Folder folder;
  write(folder.path() / "app/part.clh", "#define PART 2\n");
  fs::permissions(folder.path(), fs::perms::all);
  const test::Variable path("ANYCL_KERNEL_PATH", folder.path().string());
  constexpr uid_t kSomebodyElse = 65534;
  REQUIRE_FALSE(detail::KernelPath::from_environment().empty());

  REQUIRE(::seteuid(kSomebodyElse) == 0);
  const bool ignored = detail::KernelPath::from_environment().empty();
  REQUIRE(::seteuid(0) == 0);

  CHECK(ignored);
}
