#include "support/stub.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace anycl::test {
namespace {

namespace fs = std::filesystem;

/// Built beside the program: bin/ and lib/ have one parent.
fs::path stub_library() {
  const fs::path file = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / "libanycl_stub.so";
  if (!fs::exists(file)) throw std::runtime_error(file.string() + " is not there; build the target anycl_stub");
  return file;
}

/// What scripts/test has laid out, else what the system has.
std::vector<fs::path> icd_files_of(const std::string& driver) {
  std::vector<fs::path> files;
  if (const char* folder = std::getenv("ANYCL_DRIVER_FOLDER"))
    files.push_back(fs::path(folder) / driver / (driver + ".icd"));
  files.push_back(fs::path("/etc/OpenCL/vendors") / (driver + ".icd"));
  return files;
}

}  // namespace

StubFolder& StubFolder::add(const std::string& name, const std::string& settings) {
  const std::string library = folder_.file("lib" + name + ".so");
  fs::copy_file(stub_library(), library);
  write_file(library + ".settings", settings);
  return add_file(name, library);
}

StubFolder& StubFolder::add_file(const std::string& name, const std::string& library) {
  write_file(folder_.file(name + ".icd"), library + "\n");
  return *this;
}

bool StubFolder::add_driver(const std::string& name) {
  for (const fs::path& file : icd_files_of(name)) {
    if (!fs::exists(file)) continue;
    fs::copy_file(file, folder_.file(name + ".icd"));
    return true;
  }
  return false;
}

void StubFolder::remove(const std::string& name) { fs::remove(folder_.file(name + ".icd")); }

std::vector<std::string> StubFolder::variables() const {
  // The slash: a loader may glue folder and file name together.
  return {"OCL_ICD_VENDORS=" + folder_.path().string() + "/", "ANYCL_STUB", "ANYCL_TEST_DRIVER"};
}

void StubFolder::show_to_this_process() const {
  for (const std::string& change : variables()) {
    const auto equals = change.find('=');
    if (equals == std::string::npos)
      ::unsetenv(change.c_str());
    else
      ::setenv(change.substr(0, equals).c_str(), change.substr(equals + 1).c_str(), 1);
  }
}

}  // namespace anycl::test
