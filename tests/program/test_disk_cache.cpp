// Needs: a driver with threads
#include "program/disk_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/build_input.hpp"
#include "program/cache_key.hpp"
#include "program/compiler_options.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/scale.hpp"
#include "support/variable.hpp"

using namespace anycl;

namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "kernel void triple(global int* x, uint n) { if (n) x[0] *= 3; }\n";

/// Runs the kernel in a context of its own on the cache in `folder`, waits until what can be stored is, and gives what
/// the caches did. The result must be right in any case.
KernelCacheStatistics run_on(const Device& device, const std::string& folder, const std::string& mode = "on",
                             const std::string& source = kSource) {
  test::OwnContext own(device, mode, folder);
  Buffer<int> x(own.context, std::vector<int>{14});
  launch(own.queue, Kernel(own.context, Source(source, "triple.cl"), "triple"), 1, x, 1);
  CHECK(to_host(x).front() == 42);
  flush_kernel_cache(own.context);
  return kernel_cache_statistics(own.context);
}

/// While it lives, no file of this process can have any bytes.
class NoRoomForFiles {
 public:
  NoRoomForFiles() : signal_before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoRoomForFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_before_);
  }
  NoRoomForFiles(const NoRoomForFiles&) = delete;
  NoRoomForFiles& operator=(const NoRoomForFiles&) = delete;

 private:
  rlimit before_{};
  void (*signal_before_)(int);
};

std::size_t kernels_of_each_process() { return test::full_scale() ? 50 : 2; }

/// The only entry in `folder`.
std::string entry_in(const test::Folder& folder) {
  std::vector<std::string> entries;
  for (const std::string& name : folder.names())
    if (name.ends_with(".bin")) entries.push_back(folder.file(name));
  REQUIRE(entries.size() == 1);
  return entries.front();
}

/// No half-written file.
bool clean(const test::Folder& folder) {
  const auto names = folder.names();
  return std::none_of(names.begin(), names.end(), [](const std::string& name) { return name.starts_with(".tmp"); });
}

/// Stores, under the key of one source, what another one was built to.
void give_first_the_build_of_second(const Device& device, const std::string& folder, const std::string& first,
                                    const std::string& second) {
  const test::Variable mode("ANYCL_CACHE", "on");
  const test::Variable place("ANYCL_CACHE_DIR", folder);
  const auto cache = detail::DiskCache::from_environment();
  const auto key_of = [&](const std::string& text) {
    const detail::BuildInput input(Source(text, "triple.cl"), {});
    return detail::make_cache_key("triple.cl", input.key_text(), detail::compiler_options(input, device), device);
  };
  const auto found = cache.load(key_of(second));
  REQUIRE(found.entry);
  REQUIRE(cache.load(key_of(first)).entry);
  REQUIRE(cache.store(key_of(first), *found.entry));
}

std::string damaged(std::string content, const std::string& how) {
  if (how == "cut") content.resize(content.size() / 2);
  if (how == "one bit") content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
  if (how == "empty") content.clear();
  if (how == "zeros") std::fill(content.begin(), content.end(), '\0');
  if (how == "longer") content += "more";
  return content;
}

}  // namespace

TEST_CASE("a second context takes the build from disk, and it works as the first", "[program][disk_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;

    const auto first = run_on(rig.device, folder.path());
    const auto second = run_on(rig.device, folder.path());

    CHECK(first.built == 1);
    CHECK(first.stored == 1);
    CHECK(second.built == 0);
    CHECK(second.from_disk == 1);
    CHECK(second.stored == 0);
    CHECK(second.bad_entries == 0);
    CHECK(clean(folder));
  });
}

TEST_CASE("launches are checked alike whether built or taken from disk", "[program][disk_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    test::OwnContext own(rig.device, "on", folder.path());
    const Kernel kernel(own.context, Source(kSource, "triple.cl"), "triple");
    Buffer<int> x(own.context, 1);
    Buffer<float> wrong(own.context, 1);

    CHECK_THROWS_WITH(launch(own.queue, kernel, 1, x, -1),
                      "launch triple: argument 1 'n' is uint, got a value of type int; -1 does not fit");
    CHECK_THROWS_AS(launch(own.queue, kernel, 1, wrong, 1), InvalidArgument);
    CHECK_THROWS_WITH(launch(own.queue, kernel, 1, x), "launch triple: the kernel takes 2 arguments, got 1");
    CHECK(kernel_cache_statistics(own.context).from_disk == 1);
  });
}

TEST_CASE("a kernel missing from a stored build is refused as from a new one", "[program][disk_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    test::OwnContext own(rig.device, "on", folder.path());

    CHECK_THROWS_WITH(launch(own.queue, Kernel(own.context, Source(kSource, "triple.cl"), "other"), 1),
                      "kernel 'other' is not in triple.cl; it has: triple");
  });
}

TEST_CASE("a damaged entry is built from source, with one warning, and replaced", "[program][disk_cache][OCL-101]") {
  const auto how = GENERATE(as<std::string>{}, "cut", "one bit", "empty", "zeros", "longer");

  test::for_each_device([&](test::Rig& rig) {
    const test::Folder folder;
    const std::string source = "// " + how + rig.device.id() + "\n" + kSource;  // each warning is new to the log
    run_on(rig.device, folder.path(), "on", source);
    const std::string entry = entry_in(folder);
    test::write_file(entry, damaged(test::read_file(entry), how));
    const test::LogCapture log;

    const auto hurt = run_on(rig.device, folder.path(), "on", source);
    const auto healed = run_on(rig.device, folder.path(), "on", source);

    CAPTURE(how, log.text());
    CHECK(hurt.built == 1);
    CHECK(hurt.bad_entries == 1);
    CHECK(hurt.stored == 1);
    CHECK(healed.from_disk == 1);
    CHECK(log.count(LogLevel::warn) <= 1);  // one text, told once a minute
  });
}

TEST_CASE("a damaged entry is warned of by name", "[program][disk_cache][OCL-101]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    test::write_file(entry_in(folder), "not an entry");
    const test::LogCapture log;
    test::OwnContext own(rig.device, "on", folder.path());
    Buffer<int> x(own.context, std::vector<int>{14});

    launch(own.queue, Kernel(own.context, Source(kSource, "named " + rig.device.id()), "triple"), 1, x, 1);

    // The name is not in the key, but its line marker is in the text: another name is another program.
    CHECK(kernel_cache_statistics(own.context).bad_entries == 0);
    launch(own.queue, Kernel(own.context, Source(kSource, "triple.cl"), "triple"), 1, x, 1);
    CHECK(kernel_cache_statistics(own.context).bad_entries == 1);
  });
}

TEST_CASE("whatever stands in an entry's place is passed by without a wait", "[program][disk_cache][OCL-101]") {
  const auto what =
      GENERATE(as<std::string>{}, "symlink", "hard link", "FIFO", "folder", "sparse giant", "writable by all");

  test::for_each_device([&](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    const std::string entry = entry_in(folder);
    const std::string aside = folder.file("aside");
    fs::rename(entry, aside);
    if (what == "symlink") fs::create_symlink(aside, entry);
    if (what == "hard link") fs::create_hard_link(aside, entry);
    if (what == "FIFO") REQUIRE(::mkfifo(entry.c_str(), 0600) == 0);
    if (what == "folder") fs::create_directory(entry);
    if (what == "sparse giant") {
      test::write_file(entry, "x");
      ::chmod(entry.c_str(), 0600);
      fs::resize_file(entry, std::uintmax_t{4} << 30);
    }
    if (what == "writable by all") {
      fs::copy_file(aside, entry);
      ::chmod(entry.c_str(), 0666);
    }

    const test::LogCapture log;

    const auto statistics = run_on(rig.device, folder.path());

    CAPTURE(what);
    CHECK(statistics.built == 1);
    CHECK(statistics.from_disk == 0);
    CHECK(clean(folder));
  });
}

TEST_CASE("a folder that cannot be trusted turns the cache off, with a warning that names it",
          "[program][disk_cache][OCL-100]") {
  const auto what = GENERATE(as<std::string>{}, "writable by all", "foreign", "symlink", "a file", "relative");
  if (what == "foreign" && ::geteuid() != 0) ANYCL_SKIP("only root can give a folder away");

  test::for_each_device([&](test::Rig& rig) {
    const test::Folder folder;
    std::string place = folder.file("cache of " + rig.device.id());
    if (what == "writable by all") {
      fs::create_directory(place);
      ::chmod(place.c_str(), 0777);
    }
    if (what == "foreign") {
      fs::create_directory(place);
      REQUIRE(::chown(place.c_str(), 65534, 65534) == 0);
    }
    if (what == "symlink") {
      fs::create_directory(folder.file("real"));
      fs::create_symlink(folder.file("real"), place);
    }
    if (what == "a file") test::write_file(place, "x");
    if (what == "relative") place = "relative of " + rig.device.id();
    const test::LogCapture log;

    const auto first = run_on(rig.device, place);
    const auto second = run_on(rig.device, place);

    CAPTURE(what, log.text());
    CHECK(first.built == 1);
    CHECK(second.built == 1);
    CHECK(second.stored == 0);
    CHECK(log.count(LogLevel::warn, "kernel cache on disk is off: ") == 1);
    CHECK(log.count(LogLevel::warn, place) == 1);
  });
}

TEST_CASE("a secret that others may write turns the cache off, with a warning that says what to do",
          "[program][disk_cache][OCL-100]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    CHECK(run_on(rig.device, folder.path()).stored == 1);
    ::chmod(folder.file("secret").c_str(), 0666);
    const test::LogCapture log;

    const auto statistics = run_on(rig.device, folder.path());

    CHECK(statistics.built == 1);
    CHECK(statistics.stored == 0);
    CHECK(log.count(LogLevel::warn, "its secret is not a private file of this user; remove it") == 1);
  });
}

TEST_CASE("ANYCL_CACHE=off neither reads nor writes, readonly reads alone", "[program][disk_cache][OCL-098]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const test::LogCapture log;

    CHECK(run_on(rig.device, folder.path(), "off").stored == 0);
    CHECK(folder.names().empty());
    CHECK(run_on(rig.device, folder.path(), "readonly").stored == 0);
    CHECK(folder.names().empty());
    CHECK(run_on(rig.device, folder.file("none"), "readonly").built == 1);
    CHECK(folder.names().empty());
    CHECK(run_on(rig.device, folder.path(), "on").stored == 1);
    CHECK(run_on(rig.device, folder.path(), "off").built == 1);
    CHECK(run_on(rig.device, folder.path(), "readonly").from_disk == 1);
    CHECK(run_on(rig.device, folder.path(), "on, please").from_disk == 1);
    CHECK(log.count(LogLevel::warn, "ANYCL_CACHE='on, please' is not one of on, off, readonly, verify; using on") <= 1);
  });
}

TEST_CASE("ANYCL_CACHE=verify builds what it finds and keeps an entry that is right", "[program][disk_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const test::LogCapture log;
    run_on(rig.device, folder.path());

    const auto verified = run_on(rig.device, folder.path(), "verify");

    CHECK(verified.built == 1);
    CHECK(verified.from_disk == 0);
    CHECK(verified.bad_entries == 0);
    CHECK(log.count(LogLevel::warn) == 0);
    CHECK(run_on(rig.device, folder.path()).from_disk == 1);
  });
}

TEST_CASE("ANYCL_CACHE=verify finds an entry of another program, and replaces it", "[program][disk_cache]") {
  const test::LogCapture log;  // of all devices: equal ones have equal warnings, and those come once a minute
  test::for_each_device([&](test::Rig& rig) {
    const test::Folder folder;
    const std::string other = std::string(kSource) + "kernel void further(global int* x) { x[0] = 2; }\n";
    run_on(rig.device, folder.path());
    run_on(rig.device, folder.path(), "on", other);
    give_first_the_build_of_second(rig.device, folder.path(), kSource, other);

    CHECK(run_on(rig.device, folder.path()).from_disk == 1);  // nothing tells
    const auto verified = run_on(rig.device, folder.path(), "verify");

    CHECK(verified.built == 1);
    CHECK(verified.bad_entries == 1);
    CHECK(verified.stored == 1);
    CHECK(log.count(LogLevel::warn, "has other kernels than its source; it is replaced") >= 1);
    CHECK(run_on(rig.device, folder.path(), "verify").bad_entries == 0);
  });
}

TEST_CASE("a read-only cache leaves a damaged entry where it is", "[program][disk_cache][OCL-098]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    test::write_file(entry_in(folder), "not an entry");

    CHECK(run_on(rig.device, folder.path(), "readonly").built == 1);

    CHECK(test::read_file(entry_in(folder)) == "not an entry");
  });
}

TEST_CASE("a cache that may write removes what killed writers left, a read-only one does not",
          "[program][disk_cache][OCL-085][OCL-098]") {
  const test::Folder folder;
  const test::Variable place("ANYCL_CACHE_DIR", folder.path().string());
  const test::Variable on("ANYCL_CACHE", "on");
  REQUIRE(detail::DiskCache::from_environment().writable());
  test::write_file(folder.file(".tmp-left"), "part");
  fs::last_write_time(folder.file(".tmp-left"), fs::file_time_type::clock::now() - std::chrono::hours(2));

  {
    const test::Variable read_only("ANYCL_CACHE", "readonly");
    CHECK(detail::DiskCache::from_environment().readable());
    CHECK_FALSE(clean(folder));
  }
  CHECK(detail::DiskCache::from_environment().writable());
  CHECK(clean(folder));
}

TEST_CASE("without ANYCL_CACHE_DIR the place is below XDG_CACHE_HOME, whatever HOME is",
          "[program][disk_cache][OCL-089]") {
  const auto home = GENERATE(as<std::optional<std::string>>{}, std::nullopt, "", "/", "/proc/no-such-home");
  const test::Folder folder;
  const test::Variable unset("ANYCL_CACHE_DIR", std::nullopt);
  const test::Variable mode("ANYCL_CACHE", "on");
  const test::Variable no_home("HOME", home);
  const test::Variable xdg("XDG_CACHE_HOME", folder.path().string());

  CHECK(detail::DiskCache::from_environment().writable());

  CHECK(fs::exists(folder.file("anycl/secret")));
}

TEST_CASE("a place that cannot be made turns the cache off, with one warning", "[program][disk_cache][OCL-089]") {
  const test::Variable unset("ANYCL_CACHE_DIR", std::nullopt);
  const test::Variable mode("ANYCL_CACHE", "on");
  const test::Variable xdg("XDG_CACHE_HOME", "/proc/no-such-place");
  const test::LogCapture log;

  CHECK_FALSE(detail::DiskCache::from_environment().readable());
  CHECK_FALSE(detail::DiskCache::from_environment().readable());

  CHECK(log.count(LogLevel::warn, "kernel cache on disk is off: cannot open folder /proc/no-such-place/anycl") == 1);
}

TEST_CASE("a secret that cannot be written turns the cache off, with the reason", "[program][disk_cache][OCL-091]") {
  const test::Folder folder;
  const test::Variable place("ANYCL_CACHE_DIR", folder.path().string());
  const test::Variable mode("ANYCL_CACHE", "on");
  const test::LogCapture log;
  {
    const NoRoomForFiles full;
    CHECK_FALSE(detail::DiskCache::from_environment().readable());
  }

  CHECK(log.count(LogLevel::warn, "kernel cache on disk is off: " + folder.path().string() + ": File too large") == 1);
  CHECK(folder.names().empty());
  CHECK(detail::DiskCache::from_environment().writable());
}

TEST_CASE("a binary the driver refuses is dropped and built from source", "[program][disk_cache][OCL-077][OCL-079]") {
  static cl_int create_code = CL_SUCCESS;
  static cl_int device_code = CL_SUCCESS;
  static cl_int build_code = CL_SUCCESS;
  static bool from_binary = false;
  struct Refusal {
    cl_int create, device, build;
  };
  const auto refusal = GENERATE(values<Refusal>({{CL_INVALID_VALUE, CL_SUCCESS, CL_SUCCESS},
                                                 {CL_INVALID_BINARY, CL_INVALID_BINARY, CL_SUCCESS},
                                                 {CL_SUCCESS, CL_INVALID_BINARY, CL_SUCCESS},
                                                 {CL_SUCCESS, CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE}}));
  create_code = refusal.create;
  device_code = refusal.device;
  build_code = refusal.build;

  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    const test::LogCapture log;
    KernelCacheStatistics refused;
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clCreateProgramWithBinary = [](cl_context context, cl_uint count, const cl_device_id* devices,
                                             const size_t* sizes, const unsigned char** binaries, cl_int* status,
                                             cl_int* code) -> cl_program {
          from_binary = true;
          if (create_code == CL_SUCCESS) {  // what the device says counts, even if a program comes with it
            const cl_program program =
                test::real_driver().clCreateProgramWithBinary(context, count, devices, sizes, binaries, status, code);
            if (device_code != CL_SUCCESS) *status = device_code;
            return program;
          }
          if (status != nullptr) *status = device_code;
          if (code != nullptr) *code = create_code;
          return nullptr;
        };
        table.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                                  void(CL_CALLBACK * notify)(cl_program, void*), void* data) -> cl_int {
          if (std::exchange(from_binary, false) && build_code != CL_SUCCESS) return build_code;
          return test::real_driver().clBuildProgram(program, count, devices, options, notify, data);
        };
      });
      from_binary = false;
      refused = run_on(rig.device, folder.path());
    }

    CHECK(refused.built == 1);
    CHECK(refused.from_disk == 0);
    CHECK(refused.bad_entries == 1);
    CHECK(refused.stored == 1);
    CHECK(log.count(LogLevel::warn) <= 1);
    CHECK(run_on(rig.device, folder.path()).from_disk == 1);
  });
}

TEST_CASE("a build that cannot be stored is no error", "[program][disk_cache][OCL-091]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const std::string place = folder.file("cache");
    test::OwnContext own(rig.device, "on", place);
    fs::remove_all(place);  // the cache holds the folder open, but nothing can be made in it any more
    Buffer<int> x(own.context, std::vector<int>{14});
    const test::LogCapture log;

    launch(own.queue, Kernel(own.context, Source(kSource, "triple.cl"), "triple"), 1, x, 1);
    flush_kernel_cache(own.context);

    CHECK(to_host(x).front() == 42);
    CHECK(kernel_cache_statistics(own.context).built == 1);
    CHECK(kernel_cache_statistics(own.context).stored == 0);
  });
}

TEST_CASE("a driver that gives no binary is no error", "[program][disk_cache][OCL-091]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetProgramInfo = [](cl_program program, cl_program_info what, size_t size, void* value,
                                  size_t* size_ret) -> cl_int {
        if (what == CL_PROGRAM_BINARY_SIZES || what == CL_PROGRAM_BINARIES) return CL_OUT_OF_HOST_MEMORY;
        return test::real_driver().clGetProgramInfo(program, what, size, value, size_ret);
      };
    });

    CHECK(run_on(rig.device, folder.path()).stored == 0);
    CHECK(clean(folder));
  });
}

TEST_CASE("a binary that cannot be that long is not stored, and takes no memory", "[program][disk_cache][OCL-091]") {
  static size_t claimed = 0;
  claimed = GENERATE(as<size_t>{}, (size_t{256} << 20) + 1, size_t{1} << 50, ~size_t{0});
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const test::LogCapture log;
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clGetProgramInfo = [](cl_program program, cl_program_info what, size_t size, void* value,
                                  size_t* size_ret) -> cl_int {
        const cl_int code = test::real_driver().clGetProgramInfo(program, what, size, value, size_ret);
        if (what == CL_PROGRAM_BINARY_SIZES && value != nullptr)
          std::fill_n(static_cast<size_t*>(value), size / sizeof(size_t), claimed);
        return code;
      };
    });

    CHECK(run_on(rig.device, folder.path()).stored == 0);
    CHECK(clean(folder));
    CHECK(log.count(LogLevel::warn) == 0);
  });
}

TEST_CASE("a driver that refuses a kernel which only the cache asks for is no error",
          "[program][disk_cache][OCL-091]") {
  const test::LogCapture log;
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clCreateKernel = [](cl_program program, const char* name, cl_int* code) -> cl_kernel {
        if (std::string_view(name) != "other") return test::real_driver().clCreateKernel(program, name, code);
        *code = CL_OUT_OF_HOST_MEMORY;
        return nullptr;
      };
    });

    const std::string two_kernels = std::string(kSource) + "kernel void other(global int* x) { x[0] = 0; }\n";
    CHECK(run_on(rig.device, folder.path(), "on", two_kernels).stored == 0);
    CHECK(clean(folder));
  });
  CHECK(log.count(LogLevel::warn, "kernel not stored in the cache: ") == 1);  // one text, at most once a minute
}

TEST_CASE("a program that was not launched is stored when all shall be, and again when it was",
          "[program][disk_cache]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    const auto stored_by = [&](bool with_launch) {
      test::OwnContext own(rig.device, "on", folder.path());
      const Kernel kernel(own.context, Source(kSource, "triple.cl"), "triple");
      if (with_launch) {
        Buffer<int> x(own.context, std::vector<int>{1});
        launch(own.queue, kernel, 1, x, 1).wait();
      } else {
        CHECK_THROWS_AS(launch(own.queue, kernel, 1), InvalidArgument);
      }
      flush_kernel_cache(own.context);
      flush_kernel_cache(own.context);  // stores nothing twice
      return kernel_cache_statistics(own.context).stored;
    };

    CHECK(stored_by(false) == 1);
    CHECK(stored_by(false) == 0);
    CHECK(stored_by(true) == 1);
    CHECK(stored_by(true) == 0);
  });
}

TEST_CASE("another driver version is another entry, and the old one still serves its own",
          "[program][disk_cache][OCL-076]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    const auto updated = [&] {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value,
                                   size_t* size_ret) -> cl_int {
          if (what != CL_DRIVER_VERSION) return test::real_driver().clGetDeviceInfo(id, what, size, value, size_ret);
          static constexpr std::string_view kVersion("99.9", 5);
          if (size_ret != nullptr) *size_ret = kVersion.size();
          if (value != nullptr && size >= kVersion.size()) kVersion.copy(static_cast<char*>(value), kVersion.size());
          return CL_SUCCESS;
        };
      });
      return discover().devices();
    }();
    const auto same = std::find_if(updated.begin(), updated.end(),
                                   [&](const Device& device) { return device.id() == rig.device.id(); });
    REQUIRE(same != updated.end());
    REQUIRE(same->driver_version() == "99.9");

    CHECK(run_on(*same, folder.path()).built == 1);
    CHECK(run_on(*same, folder.path()).from_disk == 1);
    CHECK(run_on(rig.device, folder.path()).from_disk == 1);
  });
}

TEST_CASE("locks that others hold or have left behind stop nobody", "[program][disk_cache][OCL-088]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    run_on(rig.device, folder.path());
    for (const char* name : {"lock", ".lock", "secret.lock"}) test::write_file(folder.file(name), "1");
    std::vector<int> held;
    for (const std::string& name : {folder.path().string(), folder.file("secret"), entry_in(folder)}) {
      held.push_back(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
      REQUIRE(::flock(held.back(), LOCK_EX | LOCK_NB) == 0);
    }

    CHECK(run_on(rig.device, folder.path()).from_disk == 1);
    CHECK(run_on(rig.device, folder.path(), "on", "// another\n" + std::string(kSource)).stored == 1);

    for (const int file : held) ::close(file);
  });
}

TEST_CASE("threads that make the first kernels at once store each once", "[program][disk_cache][OCL-092]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Folder folder;
    test::OwnContext own(rig.device, "on", folder.path());
    std::vector<std::thread> threads;

    for (int t = 0; t < 16; ++t)
      threads.emplace_back([&, t] {
        Buffer<int> x(own.context, std::vector<int>{14});
        const std::string source = "// " + std::to_string(t % 3) + "\n" + kSource;
        launch(own.queue, Kernel(own.context, Source(source, "triple.cl"), "triple"), 1, x, 1).wait();
      });
    for (std::thread& thread : threads) thread.join();
    flush_kernel_cache(own.context);

    CHECK(kernel_cache_statistics(own.context).built == 3);
    CHECK(kernel_cache_statistics(own.context).stored == 3);
    CHECK(folder.names().size() == 4);  // with the secret
  });
}

TEST_CASE("builds and stores some kernels, for a process of its own", "[.][one_of_many]") {
  Context& context = test::shared_context();
  Queue queue(context, context.device());
  for (std::size_t i = 0; i < kernels_of_each_process(); ++i) {
    Buffer<int> x(context, std::vector<int>{14});
    const std::string source = "// " + std::to_string(i) + "\n" + kSource;
    launch(queue, Kernel(context, Source(source, "triple.cl"), "triple"), 1, x, 1);
    CHECK(to_host(x).front() == 42);
  }
  flush_kernel_cache(context);
}

TEST_CASE("processes that share an empty cache folder of the driver's own all get right results",
          "[program][disk_cache][OCL-086]") {
  constexpr std::size_t kProcesses = 8;
  static_cast<void>(test::shared_context());
  const test::Folder folder;
  std::vector<test::ChildResult> results(kProcesses);

  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      result = test::run_hidden_test("[one_of_many]", {"ANYCL_CACHE=off", "POCL_CACHE_DIR=" + folder.path().string(),
                                                       "MESA_SHADER_CACHE_DIR=" + folder.path().string()});
    });
  for (std::thread& thread : threads) thread.join();

  for (const auto& result : results) {
    CAPTURE(result.output, result.signal, result.timed_out);
    CHECK(result.exit_code == 0);
  }
}

TEST_CASE("many processes on one empty folder all get right results and leave no half file",
          "[program][disk_cache][OCL-085]") {
  constexpr std::size_t kProcesses = 32;
  constexpr std::size_t kAtOnce = 8;
  static_cast<void>(test::shared_context());
  const test::Folder folder;
  std::vector<test::ChildResult> results(kProcesses);

  for (std::size_t first = 0; first < kProcesses; first += kAtOnce) {
    std::vector<std::thread> threads;
    for (std::size_t i = first; i < first + kAtOnce; ++i)
      threads.emplace_back([&, i] {
        results[i] =
            test::run_hidden_test("[one_of_many]", {"ANYCL_CACHE_DIR=" + folder.path().string(), "ANYCL_CACHE=on",
                                                    "ANYCL_PROBE=inline"});  // what it remembers lies there too
      });
    for (std::thread& thread : threads) thread.join();
  }

  for (const auto& result : results) {
    CAPTURE(result.output, result.signal, result.timed_out);
    CHECK(result.exit_code == 0);
    CHECK(result.output.find("anycl warn") == std::string::npos);
  }
  CHECK(clean(folder));
  CHECK(folder.names().size() == kernels_of_each_process() + 1);  // with the secret
}
