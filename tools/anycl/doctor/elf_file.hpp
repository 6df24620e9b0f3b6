/// \file  What a shared library says of itself, read without loading it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace anycl::command {

struct ElfFile {
  std::string machine;                     ///< "x86-64, 64 bit"
  bool foreign = false;                    ///< not for processes like this one; the rest is then empty
  std::vector<std::string> needed{};       ///< names of the libraries that are loaded with it
  std::vector<std::string> run_folders{};  ///< where those are looked for first

  /// Nothing for a file that cannot be read, or is no library or program.
  [[nodiscard]] static std::optional<ElfFile> read(const std::string& path);
};

/// Of the machine that this process runs on, as in `ElfFile::machine`.
[[nodiscard]] std::string own_machine();

/// Where the system finds a library of that name: by LD_LIBRARY_PATH, and in its usual folders. Empty: not there.
[[nodiscard]] std::string find_library_file(const std::string& name);

}  // namespace anycl::command
