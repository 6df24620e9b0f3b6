#include "output_check.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "printable.hpp"

namespace anycl::command {

namespace fs = std::filesystem;

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code missing;
  if (fs::equivalent(one, other, missing)) return true;
  std::error_code unknown;
  const auto place = [&unknown](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(name, unknown), unknown);
  };
  const fs::path first = place(one);
  return !unknown && first == place(other) && !unknown;
}

void refuse_to_replace(std::span<const std::string> inputs, const std::string& output, const std::string& option) {
  for (const std::string& input : inputs)
    if (is_same_file(input, output))
      throw InvalidArgument(fmt::format("{}: {} would take the place of {}, which is read; name another file", option,
                                        printable(output), printable(input)));
}

}  // namespace anycl::command
