/// \file  Stub drivers for a process to see: a folder that an ICD loader reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/folder.hpp"

namespace anycl::test {

/// A temporary folder with any number of drivers. Each stub is a copy of the library, so that it has settings of its own
/// and a process may hold several; tests/stub_icd/README.md says what the settings are.
class StubFolder {
 public:
  /// \throws std::runtime_error  when the library is not built
  StubFolder& add(const std::string& name, const std::string& settings = "");

  /// A real driver beside the stubs, such as "pocl". False when it is not on this machine.
  [[nodiscard]] bool add_driver(const std::string& name);

  /// A driver file that names `library`, whatever that is.
  StubFolder& add_file(const std::string& name, const std::string& library);

  /// Takes the driver file away again.
  void remove(const std::string& name);

  /// Changes to the environment, for run_child and run_hidden_test, that show a process these drivers and no others.
  [[nodiscard]] std::vector<std::string> variables() const;

  /// The same for this process; before its first OpenCL call, since loaders look once.
  void show_to_this_process() const;

  /// The folder: driver files, libraries (lib<name>.so) and their settings.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

 private:
  Folder folder_;
};

}  // namespace anycl::test
