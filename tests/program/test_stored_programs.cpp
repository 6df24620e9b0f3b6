// Needs: a driver with compiler, threads
#include "anycl/program/stored_programs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "base/digest.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

constexpr const char* kTwo =
    "kernel void one(global int* x) { x[0] = N; }\nkernel void two(global int* x) { x[0] = 2; }\n";

/// A cache folder, which ANYCL_CACHE_DIR names while this lives.
class CacheFolder {
 public:
  /// Stores a program called `name` in it.
  void store(const Device& device, const std::string& name, int number = 1) const {
    test::OwnContext own(device, "on", folder_.path());
    BuildOptions options;
    options.define("N", number);
    Buffer<int> x(own.context, 1);
    launch(own.queue, Kernel(own.context, Source(kTwo, name), "one", options), 1, x).wait();
    flush_kernel_cache(own.context);
    REQUIRE(kernel_cache_statistics(own.context).stored == 1);
  }

  void set_age(const std::string& file, std::chrono::hours age) const {
    fs::last_write_time(folder_.file(file), fs::file_time_type::clock::now() - age);
  }

  /// Entries, not the secret.
  [[nodiscard]] std::size_t count() const {
    std::size_t entries = 0;
    for (const std::string& name : folder_.names()) entries += name.ends_with(".bin") ? 1 : 0;
    return entries;
  }

  [[nodiscard]] const test::Folder& folder() const { return folder_; }

 private:
  test::Folder folder_;
  test::Variable place_{"ANYCL_CACHE_DIR", folder_.path().string()};
};

}  // namespace

TEST_CASE("stored programs are told with what they were built of and for", "[program][stored_programs]") {
  test::for_each_device([](test::Rig& rig) {
    const CacheFolder cache;
    cache.store(rig.device, "old.cl");
    cache.set_age(stored_programs().programs.at(0).file, 5h);
    cache.store(rig.device, "sub folder/new\n\"one\".cl");

    const StoredPrograms stored = stored_programs();

    CHECK(stored.folder == cache.folder().path());
    CHECK(stored.damaged.empty());
    REQUIRE(stored.programs.size() == 2);
    CHECK(stored.programs[0].source == "sub folder/new?\"one\".cl");
    CHECK(stored.programs[1].source == "old.cl");
    CHECK(stored.programs[1].kernels == std::vector<std::string>{"one", "two"});
    CHECK(stored.programs[1].device == rig.device.name());
    CHECK(stored.programs[1].platform == rig.device.platform_name());
    CHECK(stored.programs[1].driver_version == rig.device.driver_version());
    CHECK(stored.programs[1].library_version == version());
    CHECK(stored.programs[0].used - stored.programs[1].used > 4 * 3600);
    CHECK(stored.programs[1].bytes == fs::file_size(cache.folder().file(stored.programs[1].file)));
    CHECK(stored.bytes == stored.programs[0].bytes + stored.programs[1].bytes);
  });
}

TEST_CASE("stored programs are found by their options in any order, and tell them",
          "[program][stored_programs][OCL-080]") {
  test::for_each_device([](test::Rig& rig) {
    const CacheFolder cache;
    const auto run = [&](BuildOptions options) {
      options.define("N", 1);
      test::OwnContext own(rig.device, "on", cache.folder().path());
      Buffer<int> x(own.context, 1);
      launch(own.queue, Kernel(own.context, Source(kTwo, "two.cl"), "two", options), 1, x).wait();
      flush_kernel_cache(own.context);
      return kernel_cache_statistics(own.context);
    };

    CHECK(run(BuildOptions().set(BuildFlag::mad_enable).warnings(Warnings::off).language({1, 2})).built == 1);
    CHECK(run(BuildOptions().language({1, 2}).warnings(Warnings::off).set(BuildFlag::mad_enable)).from_disk == 1);
    CHECK(run(BuildOptions().language({1, 2}).warnings(Warnings::off)).built == 1);

    std::vector<std::string> options;
    for (const StoredProgram& program : stored_programs().programs) options.push_back(program.options);
    std::sort(options.begin(), options.end());
    CHECK(options == std::vector<std::string>{"-cl-kernel-arg-info -cl-std=CL1.2 -cl-mad-enable -w",
                                              "-cl-kernel-arg-info -cl-std=CL1.2 -w"});
  });
}

TEST_CASE("what is no entry of this folder is told as damaged, and can be removed",
          "[program][stored_programs][OCL-101]") {
  const Device device = test::shared_context().device();
  const CacheFolder cache;
  for (int number = 1; number <= 4; ++number) cache.store(device, "some.cl", number);
  const auto programs = stored_programs().programs;
  const auto path = [&](std::size_t i) { return cache.folder().file(programs.at(i).file); };
  fs::resize_file(path(0), fs::file_size(path(0)) / 2);
  fs::copy_file(path(1), path(2), fs::copy_options::overwrite_existing);  // under another one's name
  test::write_file(cache.folder().file("stranger.bin"), "");
  test::write_file(cache.folder().file(".tmp-left"), "part");
  cache.set_age(".tmp-left", 2h);

  CHECK(stored_programs().damaged.size() == 3);
  CHECK(stored_programs().programs.size() == 2);
  const RemovedPrograms removed = remove_damaged_programs();

  CHECK(removed.count == 3);
  CHECK(stored_programs().damaged.empty());
  CHECK(stored_programs().programs.size() == 2);
  CHECK_FALSE(fs::exists(cache.folder().file(".tmp-left")));
}

TEST_CASE("what another version of anycl stored is told, and not removed as damaged",
          "[program][stored_programs][OCL-076]") {
  const CacheFolder cache;
  cache.store(test::shared_context().device(), "some.cl");
  Digest secret{};
  std::ifstream(cache.folder().file("secret"), std::ios::binary)
      .read(reinterpret_cast<char*>(secret.data()), static_cast<std::streamsize>(secret.size()));
  std::string entry = "anycl cache entry 1\nwith other things in it";
  const Digest digest = keyed_digest(std::as_bytes(std::span(entry.data(), entry.size())), secret);
  entry.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  test::write_file(cache.folder().file("old.bin"), entry);
  ::chmod(cache.folder().file("old.bin").c_str(), 0600);

  const StoredPrograms stored = stored_programs();

  REQUIRE(stored.of_other_versions.size() == 1);
  CHECK(stored.of_other_versions.front().file == "old.bin");
  CHECK(stored.of_other_versions.front().bytes == entry.size());
  CHECK(stored.programs.size() == 1);
  CHECK(remove_damaged_programs().count == 0);
  CHECK(prune_stored_programs(0).count == 2);
}

TEST_CASE("without its secret a folder holds nothing that can be used", "[program][stored_programs][OCL-100]") {
  const CacheFolder cache;
  cache.store(test::shared_context().device(), "some.cl");
  fs::remove(cache.folder().file("secret"));

  CHECK(stored_programs().programs.empty());
  CHECK(stored_programs().damaged.size() == 1);
  CHECK_FALSE(fs::exists(cache.folder().file("secret")));  // who only looks makes nothing
}

TEST_CASE("pruning removes the longest unused, down to a size", "[program][stored_programs]") {
  const Device device = test::shared_context().device();
  const CacheFolder cache;
  for (int number = 1; number <= 3; ++number) cache.store(device, "some.cl", number);
  const auto programs = stored_programs().programs;
  for (std::size_t i = 0; i < programs.size(); ++i) cache.set_age(programs[i].file, 10h + static_cast<int>(i) * 1h);

  CHECK(prune_stored_programs(~std::uint64_t{0}).count == 0);
  const RemovedPrograms removed = prune_stored_programs(stored_programs().bytes - 1);
  CHECK(removed.count == 1);
  CHECK(removed.bytes == programs[2].bytes);
  CHECK_FALSE(fs::exists(cache.folder().file(programs[2].file)));
  CHECK(cache.count() == 2);
  CHECK(prune_stored_programs(0).count == 2);
  CHECK(cache.count() == 0);
  CHECK(fs::exists(cache.folder().file("secret")));
}

TEST_CASE("a program that is in use outlives its stored build", "[program][stored_programs]") {
  test::for_each_device([](test::Rig& rig) {
    const CacheFolder cache;
    cache.store(rig.device, "some.cl");
    test::OwnContext own(rig.device, "on", cache.folder().path());
    BuildOptions options;
    options.define("N", 1);
    const Kernel kernel(own.context, Source(kTwo, "some.cl"), "one", options);
    Buffer<int> x(own.context, 1);
    launch(own.queue, kernel, 1, x);
    CHECK(kernel_cache_statistics(own.context).from_disk == 1);

    CHECK(prune_stored_programs(0).count == 1);
    fill(own.queue, x, 0);
    launch(own.queue, kernel, 1, x);

    CHECK(to_host(x).front() == 1);
  });
}

TEST_CASE("a folder that is not there holds nothing and is not made", "[program][stored_programs]") {
  const test::Folder folder;
  const test::Variable place("ANYCL_CACHE_DIR", folder.file("none"));

  CHECK(stored_programs().folder == folder.file("none"));
  CHECK(stored_programs().programs.empty());
  CHECK(prune_stored_programs(0).count == 0);
  CHECK(remove_damaged_programs().count == 0);
  CHECK(folder.names().empty());
}

TEST_CASE("a folder that cannot be trusted is an error that names it", "[program][stored_programs][OCL-100]") {
  const test::Folder folder;
  fs::create_directory(folder.file("open"));
  ::chmod(folder.file("open").c_str(), 0777);
  fs::create_symlink("open", folder.file("link"));
  test::write_file(folder.file("file"), "");
  const auto name = GENERATE(as<std::string>{}, "open", "link", "file");
  const test::Variable place("ANYCL_CACHE_DIR", folder.file(name));

  CHECK_THROWS_AS(stored_programs(), IoError);
  CHECK_THROWS_AS(prune_stored_programs(0), IoError);
  CHECK_THROWS_WITH(remove_damaged_programs(), Contains(folder.file(name)));
}
