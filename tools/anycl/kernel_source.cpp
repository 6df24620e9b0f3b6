#include "kernel_source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <CLI/CLI.hpp>

#include "os_input_file.hpp"

namespace anycl::command {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;

/// SPIR-V's magic number, in either byte order: what is in the wrong one is told so.
bool begins_as_module(const std::vector<std::uint8_t>& bytes) {
  constexpr std::array<std::uint8_t, 4> kMagic{0x03, 0x02, 0x23, 0x07};
  return bytes.size() >= kMagic.size() && (std::equal(kMagic.begin(), kMagic.end(), bytes.begin()) ||
                                           std::equal(kMagic.rbegin(), kMagic.rend(), bytes.begin()));
}

}  // namespace

void SourceOptions::add_to(CLI::App& parser) {
  parser.add_option("-D", definitions, "Define a macro; without a value it is 1")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  parser.add_option("-I", include_folders, "A folder in which #include finds files")
      ->type_name("FOLDER")
      ->allow_extra_args(false)
      ->check(CLI::Validator([](std::string& name) { return name.empty() ? "the name is empty" : ""; }, ""));
}

BuildOptions SourceOptions::build_options() const {
  BuildOptions options;
  for (const std::string& definition : definitions) {
    const auto sign = definition.find('=');
    if (sign == std::string::npos)
      options.define(definition);
    else
      options.define(Definition(definition.substr(0, sign), std::string_view(definition).substr(sign + 1)));
  }
  return options;
}

Source read_source(const std::string& path, const SourceOptions& options) {
  const auto bytes = read_file(path, kLargestFile);
  if (begins_as_module(bytes)) return Source::from_spirv(std::as_bytes(std::span(bytes)), path);
  return Source::from_file(path, options.include_folders);
}

}  // namespace anycl::command
