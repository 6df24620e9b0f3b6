// Builds do not depend on where the program, its sources or its cache are: the compiler is given no path.
// Needs: a driver with compiler, threads
#include <filesystem>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"

using namespace anycl;

namespace {

namespace fs = std::filesystem;

constexpr EmbeddedFile kFiles[] = {
    {"inc dir/outer-g.clh", "#include \"-cl-opt-disable/inner.clh\"\n#define OUTER (INNER + 1)\n", "1"},
    {"inc dir/-cl-opt-disable/inner.clh", "#define INNER 40\n", "2"},
    {"main.cl", "#include \"inc dir/outer-g.clh\"\nkernel void k(global int* x) { *x = OUTER + 1; }\n", "3"},
};

/// The working directory until the scope ends.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

std::string build_options;

}  // namespace

TEST_CASE("folders with blanks, quotes, options or other scripts in their names are no matter for a build",
          "[program][paths][OCL-061][OCL-064][OCL-065]") {
  const auto name =
      GENERATE(as<std::string>{}, "inc dir", "x-g", "x -cl-opt-disable", "it's \"here\"", "\xD1\x96\xD0\xBD\xD0\xBA");
  const test::Folder folder;
  const fs::path place = folder.path() / name;
  fs::create_directory(place);
  fs::permissions(place, fs::perms::owner_all);

  int devices = 0;  // two parts of one device would share entries

  test::for_each_device([&](test::Rig& rig) {
    const WorkingFolder here(place);
    const fs::path cache = place / ("cache " + std::to_string(++devices));
    build_options.clear();
    const test::Faults faults([](detail::EntryPoints& table) {
      table.clBuildProgram = [](cl_program a, cl_uint b, const cl_device_id* c, const char* options,
                                void(CL_CALLBACK * e)(cl_program, void*), void* f) -> cl_int {
        build_options = options;
        return test::real_driver().clBuildProgram(a, b, c, options, e, f);
      };
    });
    for (int round = 0; round < 2; ++round) {  // from source, then from the cache
      test::OwnContext own(rig.device, "on", cache);
      Buffer<int> x(own.context, 1);

      launch(own.queue, Kernel(own.context, Source(kFiles[2], kFiles), "k"), 1, x);

      CHECK(to_host(x).front() == 42);
      flush_kernel_cache(own.context);
      CHECK(kernel_cache_statistics(own.context).stored == (round == 0 ? 1 : 0));
    }
    CHECK(build_options == "-cl-kernel-arg-info");
  });
}
