// Sources that are files, as compilers see them.
// Needs: a driver with compiler, threads
#include <chrono>
#include <filesystem>
#include <string>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"

using namespace anycl;

namespace {

namespace fs = std::filesystem;

/// What launching kernel `k` of `source` comes to: its value, or the error's text.
std::string outcome_of(Queue& queue, Context& context, const Source& source) {
  Buffer<int> x(context, 1);
  try {
    launch(queue, Kernel(context, source, "k"), 1, x);
    return std::to_string(to_host(x).front());
  } catch (const Error& error) {
    return error.what();
  }
}

std::string outcome_of(test::Rig& rig, const Source& source) { return outcome_of(rig.queue, rig.context, source); }

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  test::write_file(path.string(), text);
}

constexpr const char* kMain = "#include \"part.clh\"\nkernel void k(global int* x) { *x = PART; }\n";

}  // namespace

TEST_CASE("a kernel from a file runs, whatever its folders are called", "[source_build][OCL-061][OCL-064][OCL-065]") {
  const auto name =
      GENERATE(as<std::string>{}, "k", "inc dir", "x -cl-opt-disable", "it's \"here\"", "\xD1\x96\xD0\xBD");
  const test::Folder folder;
  const fs::path place = folder.path() / name;
  write(place / "main.cl", kMain);
  write(place / "inc -g/part.clh", "#define PART 42\n");

  test::for_each_device([&](test::Rig& rig) {
    CHECK(outcome_of(rig, Source::from_file((place / "main.cl").string(), {(place / "inc -g").string()})) == "42");
  });
}

TEST_CASE("an error in an included file of the machine shows file, line, text and a caret", "[source_build]") {
  const auto name = GENERATE(as<std::string>{}, "k", "inc dir");
  const test::Folder folder;
  const fs::path place = folder.path() / name;
  write(place / "main.cl", "// one\n#include \"sub/part.clh\"\nkernel void k(global int* x) { *x = 1; }\n");
  write(place / "sub/part.clh", "/* one\n two */\n\n  int broken(int x) { return no_such_thing; }\n");

  test::for_each_device([&](test::Rig& rig) {
    const std::string text = outcome_of(rig, Source::from_file((place / "main.cl").string()));

    CAPTURE(text);
    CHECK(text.find((place / "sub/part.clh").string() + ":4: ") != std::string::npos);
    CHECK(text.find("\n    int broken(int x) { return no_such_thing; }\n") != std::string::npos);
    CHECK(text.find("^") != std::string::npos);
  });
}

TEST_CASE("an include out of the folders is a build error that says what to do", "[source_build]") {
  const test::Folder folder;
  write(folder.path() / "k/main.cl", "#include \"../secret.clh\"\nkernel void k(global int* x) { *x = 1; }\n");
  write(folder.path() / "secret.clh", "not for you\n");

  test::for_each_device([&](test::Rig& rig) {
    const std::string text = outcome_of(rig, Source::from_file(folder.file("k/main.cl")));

    CAPTURE(text);
    CHECK(text.find(
              "k/main.cl:1: include \"../secret.clh\" is outside of the folders to include from; add the one that it "
              "is in, chain ") != std::string::npos);
    CHECK(text.find("not for you") == std::string::npos);
  });
}

TEST_CASE("an edited include is another program, a touched one is not [OCL-082] [OCL-083]", "[source_build]") {
  const test::Folder folder;
  write(folder.path() / "main.cl", "#include \"sub/outer.clh\"\nkernel void k(global int* x) { *x = PART; }\n");
  write(folder.path() / "sub/outer.clh", "#include <part.clh>\n");
  write(folder.path() / "inc/part.clh", "#define PART 1\n");
  const auto source = [&] { return Source::from_file(folder.file("main.cl"), {folder.file("inc")}); };

  test::for_each_device([&](test::Rig& rig) {
    const test::Folder cache;
    fs::permissions(cache.path(), fs::perms::owner_all);
    const auto run = [&] {
      test::OwnContext own(rig.device, "on", cache.path());
      const std::string value = outcome_of(own.queue, own.context, source());
      flush_kernel_cache(own.context);
      const auto statistics = kernel_cache_statistics(own.context);
      return value + (statistics.built == 1 ? " built" : "") + (statistics.from_disk == 1 ? " found" : "");
    };
    write(folder.path() / "inc/part.clh", "#define PART 1\n");
    CHECK(run() == "1 built");
    const auto time = fs::last_write_time(folder.file("inc/part.clh"));
    fs::last_write_time(folder.file("inc/part.clh"), time + std::chrono::hours(1));
    CHECK(run() == "1 found");
    write(folder.path() / "inc/part.clh", "#define PART 2\n");
    fs::last_write_time(folder.file("inc/part.clh"), time - std::chrono::hours(1));
    CHECK(run() == "2 built");
  });
}

TEST_CASE("inline assembly that ## makes is a build error, and nothing of a file is told", "[source_build]") {
  const test::Folder folder;
  test::write_file(folder.file("secret"), "top-secret: line\n");
  const std::string text = "#define CAT(a, b) a##b\nkernel void k(global int* x) { CAT(__as, m__)(\".include \\\"" +
                           folder.file("secret") + "\\\"\"); *x = 1; }\n";

  test::for_each_device([&](test::Rig& rig) {
    Buffer<int> x(rig.context, 1);
    std::string all;
    try {
      launch(rig.queue, Kernel(rig.context, Source(text, "asm.cl"), "k"), 1, x);
    } catch (const BuildError& error) {
      all = std::string(error.what()) + error.log();
    }

    CAPTURE(all);
    CHECK(all.find("inline_assembly_is_not_supported") != std::string::npos);
    CHECK(all.find("top-secret") == std::string::npos);
  });
}
