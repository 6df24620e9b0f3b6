// Needs: a driver with compiler, threads
#include "program/system_cache.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/cache_folder.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

/// Runs a kernel on the user's cache in `folder`; its result must be right in any case.
KernelCacheStatistics run_on(const Device& device, const std::string& folder, const std::string& mode = "on") {
  test::OwnContext own(device, mode, folder);
  Buffer<int> x(own.context, std::vector<int>{14});
  launch(own.queue, Kernel(own.context, Source("kernel void triple(global int* x) { x[0] *= 3; }\n", "t.cl"), "triple"),
         1, x);
  CHECK(to_host(x).front() == 42);
  flush_kernel_cache(own.context);
  return kernel_cache_statistics(own.context);
}

/// A user's cache with one program in it, and what was exported from that, for all.
struct Exported {
  explicit Exported(const Device& device) {
    run_on(device, users.path());
    const test::Variable place("ANYCL_CACHE_DIR", users.path());
    REQUIRE(export_stored_programs(system) == 1);
  }

  [[nodiscard]] std::string entry() const {
    for (const auto& file : fs::directory_iterator(system))
      if (file.path().extension() == ".bin") return file.path();
    throw std::runtime_error("nothing was exported");
  }

  test::Folder users, other;
  std::string system = other.file("for/all");
  test::Variable in_force{"ANYCL_SYSTEM_CACHE_DIR", system};
};

mode_t mode_of(const std::string& path) { return static_cast<mode_t>(fs::status(path).permissions()) & 0777U; }

}  // namespace

TEST_CASE("what root exported serves users whose own cache is empty, read-only or missing", "[program][system_cache]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can make a folder of root's");
  test::for_each_device([](test::Rig& rig) {
    const Exported exported(rig.device);
    const test::Folder fresh;
    const test::LogCapture log;

    const auto done = run_on(rig.device, fresh.path());

    CHECK(done.from_disk == 1);
    CHECK(done.built == 0);
    CHECK(done.stored == 0);
    CHECK(run_on(rig.device, fresh.file("none"), "readonly").from_disk == 1);
    CHECK(log.count(LogLevel::warn) == 1);  // that there is no folder of the user's
    CHECK(run_on(rig.device, fresh.path(), "verify").bad_entries == 0);
    CHECK(run_on(rig.device, fresh.file("other"), "off").built == 1);
  });
}

TEST_CASE("a damaged program of the system's is passed by, left alone and named", "[program][system_cache][OCL-101]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can make a folder of root's");
  test::for_each_device([](test::Rig& rig) {
    const Exported exported(rig.device);
    const test::Folder fresh;
    const test::LogCapture log;
    fs::resize_file(exported.entry(), fs::file_size(exported.entry()) / 2);

    const auto done = run_on(rig.device, fresh.path());

    CHECK(done.built == 1);
    CHECK(done.stored == 1);
    CHECK(log.count(LogLevel::warn, exported.entry() + " is damaged and not used") == 1);
    CHECK(fs::exists(exported.entry()));
    CHECK(run_on(rig.device, fresh.path()).from_disk == 1);  // the user's own now
  });
}

TEST_CASE("a user's damaged program is removed, and the system's taken", "[program][system_cache][OCL-101]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can make a folder of root's");
  const test::LogCapture log;  // of all devices: equal ones have equal warnings, and those come once a minute
  test::for_each_device([&](test::Rig& rig) {
    const Exported exported(rig.device);
    const std::string own = exported.users.file(fs::path(exported.entry()).filename());
    fs::resize_file(own, 100);

    const auto done = run_on(rig.device, exported.users.path());

    CHECK(done.from_disk == 1);
    CHECK(done.bad_entries == 1);
    CHECK(log.count(LogLevel::warn, "is damaged; taking the system's") >= 1);
    CHECK_FALSE(fs::exists(own));
  });
}

TEST_CASE("a folder or file that another than root may write to is not used", "[program][system_cache][OCL-100]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can make a folder of root's");
  const auto what = GENERATE(as<std::string>{}, "folder for all", "folder of another", "link", "file for all",
                             "file of another", "secret of another", "link to a file", "file of two names");
  CAPTURE(what);
  test::for_each_device([&](test::Rig& rig) {
    const Exported exported(rig.device);
    const test::Folder fresh;
    const test::LogCapture log;
    std::string place = exported.system;
    const std::string entry = exported.entry();
    if (what == "folder for all") ::chmod(place.c_str(), 0777);
    if (what == "folder of another") REQUIRE(::chown(place.c_str(), kNobody, kNobody) == 0);
    if (what == "link") {
      fs::create_directory_symlink(exported.system, exported.other.file("link"));
      place = exported.other.file("link");
    }
    if (what == "file for all") ::chmod(entry.c_str(), 0666);
    if (what == "file of another") REQUIRE(::chown(entry.c_str(), kNobody, kNobody) == 0);
    if (what == "secret of another") REQUIRE(::chown((place + "/secret").c_str(), kNobody, kNobody) == 0);
    if (what == "link to a file") {
      fs::rename(entry, exported.other.file("entry"));
      fs::create_symlink(exported.other.file("entry"), entry);
    }
    if (what == "file of two names") fs::create_hard_link(entry, exported.other.file("entry"));
    const test::Variable in_force("ANYCL_SYSTEM_CACHE_DIR", place);

    CHECK(run_on(rig.device, fresh.path()).built == 1);

    const bool folder_is_bad = what.starts_with("folder") || what == "link";
    CHECK(log.count(LogLevel::warn, "kernel cache of the system is not used") == (folder_is_bad ? 1 : 0));
  });
}

TEST_CASE("a system folder that is no absolute path is not used, with a warning", "[program][system_cache]") {
  const test::Variable in_force("ANYCL_SYSTEM_CACHE_DIR", "some/where");
  const test::LogCapture log;  // of all devices: the warning comes once a minute
  test::for_each_device([](test::Rig& rig) {
    const test::Folder fresh;
    CHECK(run_on(rig.device, fresh.path()).built == 1);
  });

  CHECK(log.count(LogLevel::warn, "'some/where' is not an absolute path") == 1);
}

TEST_CASE("what is exported can be read by everyone and written by nobody else", "[program][system_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const mode_t before = ::umask(077);
    const Exported exported(rig.device);
    ::umask(before);

    CHECK(mode_of(exported.other.file("for")) == 0755);
    CHECK(mode_of(exported.system) == 0755);
    CHECK(mode_of(exported.entry()) == 0644);
    CHECK(mode_of(exported.system + "/secret") == 0644);
    CHECK(test::read_file(exported.system + "/secret") != test::read_file(exported.users.file("secret")));
    const test::Variable place("ANYCL_CACHE_DIR", exported.users.path());
    CHECK(export_stored_programs(exported.system) == 1);  // once more is no error
    CHECK_THROWS_WITH(export_stored_programs(exported.users.path()), Contains("is the cache itself"));
    CHECK_THROWS_WITH(export_stored_programs("here"), Contains("'here' is not an absolute path"));
    CHECK_THROWS_AS(export_stored_programs(exported.entry()), IoError);
    fs::create_directory(exported.other.file("mine"));
    ::chmod(exported.other.file("mine").c_str(), 0700);
    CHECK_THROWS_WITH(export_stored_programs(exported.other.file("mine")), Contains("not readable for others"));
  });
}

TEST_CASE("a user without any rights reads what root exported", "[program][system_cache]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can become somebody else");
  const test::Folder folder;
  const std::string place = folder.file("all");
  ::chmod(folder.path().c_str(), 0755);
  const detail::CacheKey key{Digest{}, "the key's fields"};
  {
    using os::PrivateFolder;
    std::string problem;
    const auto all =
        PrivateFolder::open(place, problem, PrivateFolder::IfMissing::make, PrivateFolder::Readers::everyone);
    REQUIRE(all);
    const auto secret = detail::shared_secret(*all, true, problem);
    REQUIRE(secret);
    detail::CacheEntry entry;
    entry.binary.resize(5);
    REQUIRE(all->replace(detail::entry_name(key.digest), detail::encode(entry, key, *secret), problem));
  }
  CacheSettings settings{CacheSettings::Mode::read_only, {}, 0, place};

  const pid_t child = ::fork();
  if (child == 0) {
    const bool became_nobody = ::setgid(kNobody) == 0 && ::setuid(kNobody) == 0;
    const auto cache = detail::SystemCache::open(settings);
    const bool found = cache && cache->load(key) && cache->load(key)->binary.size() == 5;
    ::_exit(became_nobody && found ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);

  CHECK(status == 0);
}
