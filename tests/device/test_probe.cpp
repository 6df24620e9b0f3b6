// Drivers that no process should load: each is tried in a child first. What a process does about that it does once, so each
// of these runs in a process of its own.
// Needs: no driver
#include "device/probe.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/base/version.hpp"
#include "anycl/device/selection.hpp"
#include "device/driver_trial.hpp"
#include "device/fake_machine.hpp"
#include "device/trial_runner.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/stub.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

namespace fs = std::filesystem;

constexpr const char* kHealthy = "platform-name=healthy;device-name=well";

std::string worker() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "libexec" / "anycl" / "anycl-worker";
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// A script that stands in for a program.
void write_script(const std::string& file, const std::string& commands) {
  test::write_file(file, "#!/bin/sh\n" + commands + "\n");
  fs::permissions(file, fs::perms::owner_all);
}

/// Drivers, and a user whose processes know nothing of them yet.
class Machine {
 public:
  Machine() {
    write_script(folder_.file("worker"),
                 "echo \"$3\" >>'" + folder_.file("tried") + "'; exec '" + worker() + "' \"$@\"");
    fs::create_directory(folder_.file("tmp"));
  }

  test::StubFolder drivers{};

  /// A process of this user, in which all drivers but those that are tried for too long answer.
  [[nodiscard]] test::ChildResult run(const std::string& hidden_test, const std::vector<std::string>& changes = {}) {
    fs::remove(folder_.file("tried"));
    std::vector<std::string> variables = drivers.variables();
    variables.insert(variables.end(), {"ANYCL_PROBE", "ANYCL_PROBE_LIMIT=60", "ANYCL_DRIVERS", "OCL_ICD_FILENAMES",
                                       "ANYCL_WORKER=" + folder_.file("worker"), "ANYCL_CACHE",
                                       "ANYCL_CACHE_DIR=" + folder_.file("cache"), "TMPDIR=" + folder_.file("tmp")});
    variables.insert(variables.end(), changes.begin(), changes.end());
    return test::run_hidden_test(hidden_test, variables);
  }

  [[nodiscard]] test::ChildResult discover(const std::vector<std::string>& changes = {}) {
    return run("[probe_discover]", changes);
  }

  /// Drivers that children of the last process have tried.
  [[nodiscard]] std::size_t tried() const { return count_of(test::read_file(folder_.file("tried")), "\n"); }

  /// What is remembered: one file for each driver.
  [[nodiscard]] std::vector<fs::path> memories() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.file("cache"))) files.push_back(entry.path());
    return files;
  }

  /// Has all that is remembered be from so long ago.
  void age_memories(std::chrono::seconds age) const {
    const auto then = std::chrono::system_clock::now().time_since_epoch() - age;
    for (const fs::path& file : memories()) {
      std::string text = test::read_file(file);
      const auto line = text.find('\n') + 1;
      const auto time = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(then).count());
      test::write_file(file, text.replace(line, text.find('\n', line) - line, time));
    }
  }

  [[nodiscard]] const test::Folder& folder() const noexcept { return folder_; }

 private:
  test::Folder folder_;
};

/// The folder of the Khronos loader that Intel's package brings; empty when it is not on this machine.
std::string khronos_folder() {
  const char* drivers = std::getenv("ANYCL_DRIVER_FOLDER");
  const fs::path builds = fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
  std::ifstream icd((drivers != nullptr ? fs::path(drivers) : builds / "drivers") / "intel" / "intel.icd");
  std::string library;
  std::getline(icd, library);
  const fs::path folder = fs::path(library).parent_path();
  return !library.empty() && fs::exists(folder / "libOpenCL.so.1") ? folder.string() : std::string();
}

}  // namespace

TEST_CASE("prints what is there, for a process of its own", "[.][probe_discover]") {
  const Discovery found = discover();
  std::cout << "loader " << found.loader << std::endl;
  for (const Platform& platform : found.platforms)
    std::cout << "platform " << platform.name << ", devices " << platform.devices.size() << std::endl;
  for (const std::string& warning : found.warnings) std::cout << "warning: " << warning << std::endl;
  try {
    for (const ChosenDevice& chosen : choose_devices(found, ""))
      std::cout << "chosen " << chosen.device.name() << std::endl;
  } catch (const NoDevice& error) {
    std::cout << "error: " << error.what() << std::endl;
  }
}

TEST_CASE("a driver that crashes, hangs or talks nonsense is left out and named [OCL-019] [OCL-022]",
          "[device][probe]") {
  const auto [settings, limit, told] = GENERATE(table<std::string, std::string, std::string>({
      {"load=abort", "60",
       "the process that tried it was ended by signal 6 (Aborted), saying 'anycl stub: load=abort'"},
      {"platforms=abort", "60", "was ended by signal 6 (Aborted), saying 'anycl stub: platforms=abort'"},
      {"load=sleep:600", "1", "did not answer in 1 s"},
      {"platforms=sleep:600", "1", "did not answer in 1 s"},
      {"device-count=4294967295", "60", "answers nonsense when asked for its devices"},
  }));
  const auto name = GENERATE(as<std::string>{}, "a", "z");  // before the healthy one, and after it
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add(name, settings);

  const auto child = machine.discover({"ANYCL_PROBE_LIMIT=" + limit});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy, devices 1\n") && Contains("chosen well\n") && Contains(told));
  CHECK_THAT(child.output, Contains("/" + name + ".icd (") && Contains("ANYCL_PROBE=inline uses it all the same"));
  CHECK(count_of(child.output, "platform ") == 1);
  CHECK(count_of(child.output, "warning: ") == 1);
  CHECK(machine.tried() == 2);
}

TEST_CASE("ranks devices, for a process of its own", "[.][probe_rank]") {
  const DeviceRanking ranking = rank_devices(discover());
  for (const ChosenDevice& chosen : ranking.chosen) std::cout << "chosen " << chosen.device.name() << std::endl;
  for (const LeftOutDevice& left_out : ranking.left_out)
    std::cout << "left out " << left_out.device.name() << ": " << left_out.reason << std::endl;
}

TEST_CASE("uses a device by its name, for a process of its own", "[.][probe_name]") {
  Context context("*mute*");
  try {
    Buffer<int> x(context, 1);
    Queue queue(context, context.device());
    launch(queue, Kernel(context, "kernel void one(global int* x) { x[0] = 1; }", "one"), 1, x);
    std::cout << "built" << std::endl;
  } catch (const BuildError& error) {
    std::cout << "build error: " << error.what() << std::endl;
  }
}

TEST_CASE("a device whose compiler cannot work is passed over by rank, and used by name [OCL-011]", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("better", "devices=nvidia-rtx-3090;device-name=mute card;build=fail");

  const auto ranked = machine.run("[probe_rank]");
  CHECK(machine.tried() == 2);
  const auto named = machine.run("[probe_name]");
  CHECK(machine.tried() == 0);

  CAPTURE(ranked.output, named.output);
  CHECK(ranked.exit_code == 0);
  CHECK_THAT(ranked.output, Contains("chosen well\n") && !Contains("chosen mute"));
  CHECK_THAT(ranked.output, Contains("left out mute card: its compiler does not work: clBuildProgram gives "
                                     "CL_BUILD_PROGRAM_FAILURE (-11)") &&
                                Contains("; ANYCL_PROBE=child tries it again\n"));
  CHECK(named.exit_code == 0);
  CHECK_THAT(named.output, Contains("build error: "));
  CHECK(machine.run("[probe_rank]").output == ranked.output);  // from memory
}

TEST_CASE("a compiler that ends its process is told, one that takes long is used [OCL-011]", "[device][probe]") {
  // Of two devices of one driver.
  const auto [build, limit, told, times] = GENERATE(table<std::string, std::string, std::string, std::size_t>({
      {"crash", "60", "left out mute card: its compiler does not work: the process that tried it", 2},
      {"slow:2", "1", "chosen mute card\n", 2},
      {"fail-first:1", "60", "left out mute card: its compiler", 1},
      {"ok", "60", "chosen mute card\n", 2},
  }));
  Machine machine;
  machine.drivers.add("healthy", kHealthy)
      .add("better", "devices=nvidia-rtx-3090,nvidia-rtx-3090;device-name=mute card;build=" + build);

  const auto ranked = machine.run("[probe_rank]", {"ANYCL_PROBE_LIMIT=" + limit});

  CAPTURE(ranked.output);
  CHECK(ranked.exit_code == 0);
  CHECK(count_of(ranked.output, told) == times);
  CHECK_THAT(ranked.output, Contains("chosen well\n") && !Contains("warning"));
}

TEST_CASE("bad drivers are kept from the Khronos loader too", "[device][probe]") {
  const auto name = GENERATE(as<std::string>{}, "a", "z");
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add(name, "load=abort");
  const std::string loader = khronos_folder();
  if (loader.empty()) ANYCL_SKIP("no Khronos loader on this machine");
  // That loader loses the names of its drivers; it is no business of ours.
  std::vector<std::string> variables{"ASAN_OPTIONS=detect_leaks=0", "LD_LIBRARY_PATH=" + loader};

  SECTION("by their driver files") {}
  SECTION("by name") {
    // The first is a bad driver that no file names, the second a good one.
    machine.drivers.add("named", "platform-name=named");
    const std::string folder = machine.drivers.path().string() + "/";
    fs::rename(folder + name + ".icd", folder + name + ".was");
    fs::rename(folder + "named.icd", folder + "named.was");
    variables.push_back("OCL_ICD_FILENAMES=" + folder + "lib" + name + ".so:" + folder + "libnamed.so");
  }
  const auto child = machine.discover(variables);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("loader " + loader + "/libOpenCL.so"));
  CHECK_THAT(child.output, Contains("platform healthy, devices 1\n") && Contains("signal 6"));
  CHECK(count_of(child.output, "platform named") == count_of(variables.back(), "libnamed.so"));
}

TEST_CASE("a driver file that names a loader is left out [OCL-023]", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add_file("loop", "libOpenCL.so.1");

  const auto child = machine.discover({"ANYCL_PROBE_LIMIT=5"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output,
             Contains("loop.icd (libOpenCL.so.1): is an OpenCL loader itself, no driver; it is left out"));
  CHECK_THAT(child.output, Contains("platform healthy, devices 1\n"));
}

TEST_CASE("driver files that loaders pass over are named, and change nothing [OCL-004]", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy)
      .add_file("missing", "libanycl_no_such_driver.so")
      .add_file("other", "libm.so.6");
  test::write_file(machine.drivers.path() / "empty.icd", "");

  const auto child = machine.discover();

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("/empty.icd is empty\n"));
  CHECK_THAT(child.output, Contains("/missing.icd (libanycl_no_such_driver.so): cannot be opened: "));
  CHECK_THAT(child.output, Contains("/other.icd (libm.so.6): is no OpenCL driver: it lacks clGetExtensionFunction"));
  CHECK(count_of(child.output, "warning: ") == 3);
  CHECK(count_of(child.output, "left out") == 0);
}

TEST_CASE("a driver file that would stop or fool the loader is named and kept from it", "[device][probe]") {
  const auto [kind, told] = GENERATE(table<std::string, std::string>({
      {"FIFO", "cannot be read: it is no regular file"},
      {"folder", "cannot be read: it is no regular file"},
      {"device", "cannot be read: it is no regular file"},
      {"large", "cannot be read: it holds more than 65536 bytes"},
      {"zeros", "is empty in its first line"},
      {"line end", "is empty in its first line"},
  }));
  Machine machine;
  machine.drivers.add("healthy", kHealthy);
  const std::string file = machine.drivers.path() / "odd.icd";
  if (kind == "FIFO") REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  if (kind == "folder") fs::create_directory(file);
  if (kind == "device") fs::create_symlink("/dev/zero", file);
  if (kind == "large") test::write_file(file, "libm.so.6\n" + std::string(100'000, 'x'));
  if (kind == "zeros") test::write_file(file, std::string(4, '\0'));
  if (kind == "line end") test::write_file(file, "\n");

  const auto child = machine.discover();

  CAPTURE(kind, child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("chosen well\n"));
  CHECK_THAT(child.output, Contains("warning: driver file " + file + " " + told + "; it is left out\n"));
  CHECK(count_of(child.output, "warning: ") == 1);
  CHECK(machine.tried() == 1);
}

TEST_CASE("a driver file that names a FIFO stops its child alone", "[device][probe]") {
  Machine machine;
  const std::string fifo = machine.drivers.path() / "libodd.so";
  machine.drivers.add("healthy", kHealthy).add_file("odd", fifo);
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);

  const auto child = machine.discover({"ANYCL_PROBE_LIMIT=2"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("chosen well\n") && Contains("did not answer in 2 s"));
}

TEST_CASE("has a loader among its own libraries, for a process of its own", "[.][probe_linked]") {
  REQUIRE(::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL) != nullptr);
  for (const Platform& platform : discover().platforms) std::cout << "platform " << platform.name << std::endl;
  for (const std::string& warning : discover().warnings) std::cout << "warning: " << warning << std::endl;
}

TEST_CASE("a driver file without a name is not taken for the program", "[device][probe]") {
  const auto content = GENERATE(as<std::string>{}, "", "\n", std::string(4, '\0'));
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");
  test::write_file(machine.drivers.path() / "a.icd", content);

  const auto child = machine.run("[probe_linked]");

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy\n") && Contains("signal 6"));
  CHECK(child.output.find('\0') == std::string::npos);
}

TEST_CASE("control characters of a driver file are not repeated", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add_file("o\x1b[1mdd", "lib\x1b[31mred.so\r").add_file("\xff", "libm.so.6");

  const auto child = machine.discover();
  machine.drivers.remove("healthy");
  const auto none = machine.discover();

  CAPTURE(child.output, none.output);
  CHECK_THAT(child.output, Contains("/o?[1mdd.icd (lib?[31mred.so?): cannot be opened: "));
  CHECK_THAT(child.output, Contains("/?.icd (libm.so.6): is no OpenCL driver"));
  CHECK_THAT(none.output, Contains("/o?[1mdd.icd: lib?[31mred.so?: cannot open"));
  CHECK((child.output + none.output).find_first_of("\x1b\r\xff") == std::string::npos);
}

TEST_CASE("a name that ends in a blank or a carriage return is told", "[device][probe]") {
  const auto end = GENERATE(as<std::string>{}, " ", "\r", "\t\r");
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add_file("odd", "libm.so.6" + end);

  const auto child = machine.discover();

  CAPTURE(child.output);
  CHECK_THAT(child.output, Contains("odd.icd (libm.so.6") && Contains("; a blank or carriage return ends the name\n"));
}

TEST_CASE("where no driver is good the error says what is wrong with each, and what to do", "[device][probe]") {
  Machine machine;
  machine.drivers.add("odd", "load=abort");

  SECTION("it crashes") {
    const auto child = machine.discover();
    CAPTURE(child.output);
    CHECK(child.exit_code == 0);
    CHECK_THAT(child.output,
               Contains("error: no OpenCL platform: in ") && Contains("odd.icd: the process that tried it was"));
    CHECK_THAT(child.output, Contains("'; it is left out: ANYCL_PROBE=child tries it again, ANYCL_PROBE=inline uses it "
                                      "all the same\n"));
  }
  SECTION("it is left out by hand") {
    const auto child = machine.discover({"ANYCL_DRIVERS=!odd"});
    CAPTURE(child.output);
    CHECK_THAT(child.output, Contains("odd.icd: is left out by ANYCL_DRIVERS\n"));
  }
  SECTION("its folder cannot be read") {
    if (::geteuid() == 0) ANYCL_SKIP("root can read any folder");
    fs::permissions(machine.drivers.path(), fs::perms::none);
    const auto child = machine.discover();
    fs::permissions(machine.drivers.path(), fs::perms::owner_all);
    CAPTURE(child.output);
    CHECK_THAT(child.output, Contains(" cannot be read: Permission denied; "));
  }
  SECTION("its folder is not there") {
    const auto child = machine.discover({"OCL_ICD_VENDORS=/no/folder/"});
    CAPTURE(child.output);
    CHECK_THAT(child.output,
               Contains("error: no OpenCL platform: /no/folder/ cannot be read: No such file or directory; "
                        "install a driver, for example pocl-opencl-icd\n"));
  }
}

TEST_CASE("drivers without a platform or a device are used", "[device][probe]") {
  const auto settings = GENERATE(as<std::string>{}, "platforms=none", "devices=none");
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", settings);

  const auto child = machine.discover();

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("chosen well\n") && !Contains("odd.icd"));
}

TEST_CASE("a set of drivers that was tried is remembered", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("other", "platform-name=other").add("odd", "load=abort");
  const auto first = machine.discover();
  CHECK(machine.tried() == 3);

  SECTION("with no child the next time, and the same result") {
    const auto second = machine.discover();
    CAPTURE(second.output);
    CHECK(machine.tried() == 0);
    CHECK(second.exit_code == 0);
    CHECK(second.output == first.output);
  }
  SECTION("but each driver whose library has changed is tried again") {
    test::write_file(machine.drivers.path() / "libodd.so.settings", "platform-name=odd");
    fs::last_write_time(machine.drivers.path() / "libodd.so", fs::file_time_type::clock::now());
    const auto second = machine.discover();
    CHECK(machine.tried() == 1);
    CHECK_THAT(second.output, Contains("platform odd, devices 1\n") && !Contains("warning"));
  }
  SECTION("but each driver whose file has changed is tried again") {
    machine.drivers.add_file("odd", machine.drivers.path() / "libother.so");
    CHECK(machine.discover().exit_code == 0);
    CHECK(machine.tried() == 1);
  }
  SECTION("but a variable that steers drivers or what is loaded with them has all tried again") {
    const auto change = GENERATE(as<std::string>{}, "POCL_DEVICES=basic", "OPENCL_LAYERS=/no/layer.so",
                                 "LD_PRELOAD=libm.so.6", "HOME=/no/home", "XDG_CACHE_HOME=/no/cache");
    CHECK(machine.discover({change}).exit_code == 0);
    CHECK(machine.tried() == 3);
  }
  SECTION("but another time limit has the bad one tried again") {
    CHECK(machine.discover({"ANYCL_PROBE_LIMIT=61"}).output == first.output);
    CHECK(machine.tried() == 1);
  }
  SECTION("but ANYCL_PROBE=child asks all again") {
    CHECK(machine.discover({"ANYCL_PROBE=child"}).exit_code == 0);
    CHECK(machine.tried() == 3);
  }
  SECTION("but not without a cache") {
    CHECK(machine.discover({"ANYCL_CACHE=off"}).output == first.output);
    CHECK(machine.tried() == 3);
  }
  SECTION("but bad news is old after an hour") {
    machine.age_memories(std::chrono::hours(1));
    CHECK(machine.discover().output == first.output);
    CHECK(machine.tried() == 1);
  }
  SECTION("but a driver that only does no good is tried again after a minute") {
    machine.drivers.add_file("missing", "libanycl_no_such_driver.so");
    CHECK_THAT(machine.discover().output, Contains("libanycl_no_such_driver.so): cannot be opened"));
    CHECK(machine.tried() == 1);
    machine.age_memories(std::chrono::minutes(1));
    CHECK_THAT(machine.discover().output, Contains("libanycl_no_such_driver.so): cannot be opened"));
    CHECK(machine.tried() == 1);
  }
  SECTION("but what others may have written is not believed") {
    REQUIRE(machine.memories().size() == 3);
    for (const fs::path& file : machine.memories())
      fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    CHECK(machine.discover().output == first.output);
    CHECK(machine.tried() == 3);
  }
  SECTION("but not what is damaged") {
    const auto damage = GENERATE(as<std::string>{}, "", "usable", "1 2 3\n4\nusable\n", "\n\n\n\n\n\n\n");
    for (const fs::path& file : machine.memories()) test::write_file(file, damage);
    CHECK(machine.discover().output == first.output);
    CHECK(machine.tried() == 3);
  }
}

TEST_CASE("a driver that took too long is tried again when it may take longer", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("slow", "load=sleep:2;platform-name=slow");

  const auto short_limit = machine.discover({"ANYCL_PROBE_LIMIT=1"});
  const auto long_limit = machine.discover({"ANYCL_PROBE_LIMIT=60"});

  CAPTURE(short_limit.output, long_limit.output);
  CHECK_THAT(short_limit.output,
             Contains("did not answer in 1 s; it is left out: ANYCL_PROBE=child tries it again, ") &&
                 !Contains("platform slow"));
  CHECK_THAT(long_limit.output, Contains("platform slow, ") && !Contains("warning"));
}

TEST_CASE("there is no time limit of nothing", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy);

  const auto child = machine.discover({"ANYCL_PROBE_LIMIT=0"});

  CHECK_THAT(child.output, Contains("ANYCL_PROBE_LIMIT='0' gives drivers no time; using 5"));
  CHECK_THAT(child.output, Contains("chosen well\n"));
}

TEST_CASE("what is remembered of drivers does not grow for ever", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy);
  fs::create_directory(machine.folder().file("cache"));
  fs::permissions(machine.folder().file("cache"), fs::perms::owner_all);
  for (int i = 0; i < 200; ++i) {
    const std::string file = machine.folder().file("cache/probe-" + std::to_string(i));
    test::write_file(file, "of another day");
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(i));
  }
  test::write_file(machine.folder().file("cache/other"), "no business of ours");

  CHECK(machine.discover().exit_code == 0);
  CHECK(machine.tried() == 1);
  CHECK(machine.memories().size() == 64 + 1);
  CHECK(fs::exists(machine.folder().file("cache/probe-62")));
  CHECK_FALSE(fs::exists(machine.folder().file("cache/probe-63")));
  CHECK(fs::exists(machine.folder().file("cache/other")));
  CHECK(machine.discover().exit_code == 0);
  CHECK(machine.tried() == 0);
}

TEST_CASE("inline means that no driver is tried", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("other", "platform-name=other");

  const auto child = machine.discover({"ANYCL_PROBE=inline"});

  CHECK(machine.tried() == 0);
  CHECK_THAT(child.output, Contains("platform healthy, ") && Contains("platform other, ") && !Contains("warning"));
  CHECK(machine.drivers.add("odd", "load=abort").path() == machine.drivers.path());
  CHECK(machine.discover({"ANYCL_PROBE=inline"}).exit_code != 0);  // as asked
}

TEST_CASE("a mode that does not exist is named and means the default", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy);

  const auto child = machine.discover({"ANYCL_PROBE=maybe", "ANYCL_PROBE_LIMIT=soon"});

  CHECK_THAT(child.output, Contains("ANYCL_PROBE='maybe' is not one of child, inline"));
  CHECK_THAT(child.output, Contains("ANYCL_PROBE_LIMIT='soon' is not a number of seconds; using 5"));
  CHECK(machine.tried() == 1);
}

TEST_CASE("ANYCL_DRIVERS leaves drivers out by name, without trying them [OCL-022]", "[device][probe]") {
  const auto names = GENERATE(as<std::string>{}, "!odd", "!ODD", "!libodd.so", "!odd.icd", "!*/odd.icd", "!*/libodd.so",
                              "!o?d", "!od*", " !odd , ", "! odd");
  const auto mode = GENERATE(as<std::string>{}, "ANYCL_PROBE", "ANYCL_PROBE=inline");
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");

  const auto child = machine.discover({"ANYCL_DRIVERS=" + names, mode});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy, devices 1\n") && !Contains("warn"));
  CHECK(machine.tried() == (mode == "ANYCL_PROBE" ? 1 : 0));
}

TEST_CASE("each term of ANYCL_DRIVERS counts, whatever stands around it", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort").add("other", "platform-name=other");

  const auto child = machine.discover({"ANYCL_DRIVERS=!odd, !other"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy, ") && !Contains("platform other, ") && !Contains("warn"));
}

TEST_CASE("a term in ANYCL_DRIVERS that leaves nothing out is told", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("other", "platform-name=other");

  const auto child = machine.discover({"ANYCL_DRIVERS=healthy,!,!nosuch\x1b"});

  CAPTURE(child.output);
  CHECK_THAT(child.output, Contains("ANYCL_DRIVERS: 'healthy' is not of the form !name") && Contains("'!' is not"));
  CHECK_THAT(child.output, Contains("ANYCL_DRIVERS: '!nosuch?' names no driver; there are healthy, other\n"));
  CHECK_THAT(child.output, Contains("chosen well\n"));
}

TEST_CASE("a library that two driver files name stays while one of them does", "[device][probe]") {
  const auto mode = GENERATE(as<std::string>{}, "ANYCL_PROBE", "ANYCL_PROBE=inline");
  Machine machine;
  machine.drivers.add("a", kHealthy).add_file("b", machine.drivers.path() / "liba.so");

  CHECK_THAT(machine.discover({"ANYCL_DRIVERS=!a.icd", mode}).output, Contains("platform healthy, devices 1\n"));
  CHECK_THAT(machine.discover({"ANYCL_DRIVERS=!liba.so", mode}).output, !Contains("platform healthy"));
}

TEST_CASE("without a worker drivers are used untried, and one warning says so", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("other", "platform-name=other");
  std::string file = machine.folder().file("program");
  std::string told;
  SECTION("none is there") { told = "anycl-worker is not there: " + file; }
  SECTION("it cannot be started") {
    test::write_file(file, "no program");
    told = file + " could not be started: Permission denied";
  }
  SECTION("it is another program") {
    write_script(file, "echo hello; echo oh no >&2; exit 7");
    told = file + " is no worker of version " + std::string(version()) + ": it ended with exit code 7, saying 'oh no'";
  }
  std::vector<std::string> variables;
  SECTION("there is no place for its folder") {
    file = worker();
    told = "no folder for temporary files";
    fs::remove(machine.folder().file("tmp"));
    variables.emplace_back("ANYCL_CACHE=off");
  }
  variables.push_back("ANYCL_WORKER=" + file);

  const auto child = machine.discover(variables);

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("warning: drivers are used untried (healthy, other): " + told));
  CHECK(count_of(child.output, "warning: ") == 1);
  CHECK_THAT(child.output, Contains("platform healthy, ") && Contains("platform other, "));
}

TEST_CASE("untried drivers are told before they are loaded", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");

  const auto child = machine.discover({"ANYCL_WORKER=/no/worker"});

  CAPTURE(child.output);
  CHECK(child.exit_code != 0);
  CHECK_THAT(child.output, Contains("anycl warn: drivers are used untried (healthy, odd): anycl-worker is not there"));
}

TEST_CASE("without a folder for temporary files the cache's folder holds what the loader is shown", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");
  fs::remove(machine.folder().file("tmp"));
  const auto change = GENERATE(as<std::string>{}, "ANYCL_DRIVERS", "ANYCL_DRIVERS=!odd");

  const auto child = machine.discover({change});
  const auto again = machine.discover({change});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("chosen well\n") && !Contains("platform odd"));
  CHECK(again.output == child.output);
  for (const fs::path& left : machine.memories()) CHECK(left.filename().string().starts_with("probe-"));
}

TEST_CASE("a driver that must not be loaded and cannot be kept out ends the attempt, not the process",
          "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");
  const auto [change, told] = GENERATE(table<std::string, std::string>({
      {"ANYCL_DRIVERS", "was ended by signal 6"},
      {"ANYCL_DRIVERS=!odd", "is left out by ANYCL_DRIVERS"},
  }));
  CHECK(machine.discover().exit_code == 0);
  fs::remove(machine.folder().file("tmp"));

  const auto child = machine.run("[probe_refuses]", {"ANYCL_CACHE=readonly", change});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(count_of(child.output,
                 "NoDevice: OpenCL is not used, since drivers that must not be loaded cannot be kept out: ") == 2);
  CHECK_THAT(child.output, Contains(told) && Contains("set TMPDIR"));
}

TEST_CASE("tries to discover twice, for a process of its own", "[.][probe_refuses]") {
  for (int i = 0; i < 2; ++i) try {
      static_cast<void>(discover());
    } catch (const NoDevice& error) {
      std::cout << "NoDevice: " << error.what() << std::endl;
    }
}

TEST_CASE("the worker is found beside the program", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");

  const auto child = machine.discover({"ANYCL_WORKER"});

  CHECK_THAT(child.output, Contains("signal 6") && Contains("platform healthy, devices 1\n"));
}

TEST_CASE("a worker answers in words that a person can read", "[device][probe]") {
  test::StubFolder drivers;
  drivers.add("healthy", kHealthy);
  const std::string library = drivers.path() / "libhealthy.so";

  const auto good = test::run_child(worker(), {"probe", "libOpenCL.so.1", library}, drivers.variables());
  const auto bad_usage = test::run_child(worker(), {"probe"});
  const auto no_loader = test::run_child(worker(), {"probe", "/no/loader", library}, drivers.variables());

  CHECK_THAT(good.output,
             EndsWith("\nusable\nplatforms: 1, devices: 1\n" + library + "\nbuilding healthy-well-0\nbuilt\n"));
  CHECK(good.exit_code == 0);
  CHECK(bad_usage.exit_code == 2);
  CHECK_THAT(bad_usage.output, Contains("usage: anycl-worker probe LOADER LIBRARY | build LOADER FOLDER"));
  CHECK(no_loader.exit_code == 3);
  CHECK_THAT(no_loader.output, Contains("anycl-worker: OpenCL loader /no/loader cannot be opened"));
}

TEST_CASE("reports on a driver as a worker, for a process of its own", "[.][probe_report]") {
  detail::report_trial("libOpenCL.so.1", std::getenv("ANYCL_TEST_LIBRARY"));
}

TEST_CASE("a trial tells what kind of file it had before it", "[device][probe]") {
  // A driver with these settings, or a file that names another library.
  const auto [settings, other, told] = GENERATE(table<std::string, std::string, std::string>({
      {"", "", "usable\nplatforms: 1, devices: 1\n"},
      {"devices=plain,nvidia-rtx-3090,amd-vega-8", "", "usable\nplatforms: 3, devices: 3\n"},
      {"devices=none", "", "usable\nplatforms: 1, devices: 0\n"},
      {"platforms=none", "", "usable\nhas no platform for this machine\n"},
      {"device-count=5000", "", "harmful\nanswers nonsense when asked for its devices\n"},
      {"platforms=error:-1001", "", "usable\nhas no platform for this machine\n"},
      {"platforms=error:-6", "", "useless\ngives CL_OUT_OF_HOST_MEMORY (-6) when asked for its platforms\n"},
      {"platforms=error:7", "", "harmful\nanswers nonsense when asked for its platforms\n"},
      {"platforms=null:2", "", "harmful\nanswers nonsense when asked for its platforms\n"},
      {"load=fail", "", "useless\nis no OpenCL driver: it lacks clIcdGetPlatformIDsKHR\n"},
      {"", "libm.so.6", "useless\nis no OpenCL driver: it lacks clGetExtensionFunctionAddress\n/"},
      {"", "libOpenCL.so.1", "harmful\nis an OpenCL loader itself, no driver\n/"},
      {"", "/no/driver.so", "useless\ncannot be opened: /no/driver.so: "},
  }));
  test::StubFolder drivers;
  drivers.add("driver", settings);
  const std::string stub = drivers.path() / "libdriver.so";
  if (!other.empty()) drivers.add_file("driver", other);
  auto variables = drivers.variables();
  variables.push_back("ANYCL_TEST_LIBRARY=" + (other.empty() ? stub : other));

  const auto child = test::run_hidden_test("[probe_report]", variables);

  CAPTURE(child.output);
  CHECK_THAT(child.output,
             Contains("anycl-worker " + std::string(version()) + "\n" + told + (other.empty() ? stub : "")));
}

TEST_CASE("a driver that refuses to tell its devices is used, one that answers with no code of OpenCL is not",
          "[device][probe]") {
  using Verdict = detail::DriverTrial::Verdict;
  const auto [code, verdict] = GENERATE(table<int, Verdict>({
      {-1, Verdict::usable},  // CL_DEVICE_NOT_FOUND
      {-6, Verdict::usable},  // CL_OUT_OF_HOST_MEMORY
      {7, Verdict::harmful},
  }));
  const test::FakeMachine machine({{"Fake", {}, code}});

  CHECK(detail::try_driver("libany.so").verdict == verdict);
}

TEST_CASE("a driver that does not tell its platforms is named, or left out", "[device][probe]") {
  const auto [settings, told] = GENERATE(table<std::string, std::string>({
      {"load=fail", ": is no OpenCL driver: it lacks clIcdGetPlatformIDsKHR\n"},
      {"platforms=error:-6", ": gives CL_OUT_OF_HOST_MEMORY (-6) when asked for its platforms\n"},
      {"platforms=error:7", ": answers nonsense when asked for its platforms; it is left out: "},
      {"platforms=null:2", "; it is left out: "},
      {"platforms=null:100000", "; it is left out: "},
  }));
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", settings);

  const auto child = machine.discover();

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("chosen well\n") && Contains(told));
  CHECK(count_of(child.output, "warning: ") == 1);
}

TEST_CASE("processes that try drivers at once come to one result", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");
  std::vector<test::ChildResult> results(4);
  {
    std::vector<std::thread> threads;
    for (test::ChildResult& result : results)
      threads.emplace_back([&result, &machine] { result = machine.discover(); });
    for (std::thread& thread : threads) thread.join();
  }

  for (const test::ChildResult& result : results) {
    CHECK(result.exit_code == 0);
    CHECK(result.output == results[0].output);
  }
  CHECK(machine.discover().output == results[0].output);
  CHECK(machine.tried() == 0);
}

TEST_CASE("looks for what discovery leaves, for a process of its own", "[.][probe_leaves]") {
  const std::string before = std::getenv("OCL_ICD_VENDORS");
  const auto found = discover();

  CHECK(found.warnings.size() == 1);
  CHECK(std::getenv("OCL_ICD_VENDORS") == before);
  CHECK(std::getenv("OCL_ICD_FILENAMES") == nullptr);
  CHECK(fs::is_empty(std::getenv("TMPDIR")));
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
  CHECK(discover().warnings == found.warnings);
}

TEST_CASE("neither a child, nor a folder, nor a changed environment stays", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "platforms=sleep:600");

  const auto child = machine.run("[probe_leaves]", {"ANYCL_PROBE_LIMIT=1"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(machine.tried() == 2);
}

TEST_CASE("uses OpenCL before anycl does, for a process of its own", "[.][probe_too_late]") {
  void* loader = ::dlopen("libOpenCL.so.1", RTLD_NOW);
  REQUIRE(loader != nullptr);
  using Query = int (*)(unsigned, void*, unsigned*);
  const auto query = reinterpret_cast<Query>(::dlsym(loader, "clGetPlatformIDs"));
  unsigned count = 0;
  REQUIRE(query(0, nullptr, &count) == 0);

  for (const Platform& platform : discover().platforms) std::cout << "platform " << platform.name << std::endl;
  for (const std::string& warning : discover().warnings) std::cout << "warning: " << warning << std::endl;
}

TEST_CASE("where the host has used OpenCL already, drivers left out are not used", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "platform-name=odd");

  const auto child = machine.run("[probe_too_late]", {"ANYCL_DRIVERS=!odd"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform healthy\n") && !Contains("platform odd\n"));
  CHECK_THAT(child.output, Contains("warning: this process has used OpenCL already"));
  CHECK(machine.tried() == 0);
  CHECK_THAT(machine.run("[probe_too_late]").output, Contains("platform odd\n") && !Contains("warning"));
}

TEST_CASE("a library in the folder's place is a driver as any other", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");
  const std::string folder = machine.drivers.path();
  const bool bare = GENERATE(false, true);
  const std::string path = bare ? "" : folder + "/";
  const auto discover = [&](const std::string& name, const std::string& denied = "") {
    return machine.discover({"OCL_ICD_VENDORS=" + path + name, "LD_LIBRARY_PATH=" + folder, "ANYCL_DRIVERS=" + denied});
  };

  const auto good = discover("libhealthy.so");
  const auto good_tried = machine.tried();
  const auto odd = discover("libodd.so");
  const auto denied = discover("libhealthy.so", "!libhealthy.so");
  const auto missing = discover("libmissing.so");

  CAPTURE(good.output, odd.output, denied.output, missing.output);
  CHECK_THAT(good.output, Contains("chosen well\n") && !Contains("warning"));
  CHECK(good_tried == 1);
  CHECK(odd.exit_code == 0);
  CHECK_THAT(odd.output,
             Contains("driver " + path + "libodd.so (OCL_ICD_VENDORS): the process that tried it was ended"));
  CHECK_THAT(denied.output, Contains("is left out by ANYCL_DRIVERS") && !Contains("platform healthy"));
  CHECK_THAT(missing.output, Contains("libmissing.so (OCL_ICD_VENDORS): cannot be opened: "));
}

TEST_CASE("a single driver file in the folder's place is tried", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");
  const std::string folder = machine.drivers.path();

  CHECK_THAT(machine.discover({"OCL_ICD_VENDORS=" + folder + "/healthy.icd"}).output, Contains("chosen well\n"));
  CHECK(machine.tried() == 1);
  CHECK_THAT(machine.discover({"OCL_ICD_VENDORS=odd.icd", "OPENCL_VENDOR_PATH=" + folder}).output,
             Contains("signal 6"));
  CHECK(machine.tried() == 1);
}

TEST_CASE("discovers with another user's rights, for a process of its own", "[.][probe_privileged]") {
  REQUIRE(::setresuid(54'321, 0, 0) == 0);
  for (const Platform& platform : discover().platforms) std::cout << "platform " << platform.name << std::endl;
}

TEST_CASE("a set-uid process starts no child and heeds no variable", "[device][probe]") {
  if (::geteuid() != 0) ANYCL_SKIP("only root can become somebody else");
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("other", "platform-name=other");

  const auto child = machine.run("[probe_privileged]", {"ANYCL_DRIVERS=!other"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK_THAT(child.output, Contains("platform other\n"));
  CHECK(machine.tried() == 0);
}

TEST_CASE("discovers in parent and forked child, for a process of its own", "[.][probe_forks]") {
  const auto works = [] { return discover().platforms.size() == 1 && discover().warnings.size() == 1 ? 0 : 1; };

  CHECK(test::in_forked_child(works) == 0);
  CHECK(works() == 0);
  const auto is_refused = [] {
    try {
      static_cast<void>(discover());
    } catch (const UsedAfterFork&) {
      return 0;
    }
    return 1;
  };
  CHECK(test::in_forked_child(is_refused) == 0);
}

TEST_CASE("drivers are tried on both sides of a fork that comes first", "[device][probe]") {
  Machine machine;
  machine.drivers.add("healthy", kHealthy).add("odd", "load=abort");

  const auto child = machine.run("[probe_forks]");

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(machine.tried() == 2);  // the second has the first one's memory
}
