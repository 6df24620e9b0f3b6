/// \file  Kernel sources that are files, and what the command line says of their builds.
#pragma once

#include <string>
#include <vector>

#include "anycl/program/build_options.hpp"
#include "anycl/program/source.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
}

namespace anycl::command {

struct SourceOptions {
  std::vector<std::string> definitions;  ///< NAME or NAME=VALUE
  std::vector<std::string> include_folders;

  /// Adds -D and -I. Must live while the command line is parsed.
  void add_to(CLI::App& parser);

  /// \throws InvalidArgument  for a definition that is none.
  [[nodiscard]] BuildOptions build_options() const;
};

/// OpenCL C, or a SPIR-V module where the file begins as one.
/// \throws IoError          when the file or an include folder cannot be read.
/// \throws InvalidArgument  when what is in it cannot be used; the text begins with the place.
[[nodiscard]] Source read_source(const std::string& path, const SourceOptions& options);

}  // namespace anycl::command
