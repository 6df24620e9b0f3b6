#include "program/kernel_path.hpp"

#include <algorithm>
#include <string_view>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/os_process.hpp"
#include "base/plain_line.hpp"
#include "program/include_place.hpp"

namespace anycl::detail {

KernelPath KernelPath::from_environment() {
  KernelPath path;
  const auto value = environment("ANYCL_KERNEL_PATH");
  if (!value || os::is_privileged()) return path;
  for (std::string_view rest = *value; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (name.empty()) continue;
    std::string problem;
    if (auto folder = os::ConfinedFolder::open(name, problem))
      path.folders_.emplace_back(name, std::move(*folder));
    else
      log::warn("ANYCL_KERNEL_PATH: {}", problem);
  }
  return path;
}

std::optional<std::string> KernelPath::find(const std::string& path) const {
  using Outcome = os::ConfinedFile::Outcome;
  for (const auto& [name, folder] : folders_) {
    os::ConfinedFile file = folder.read(path, kLargestText);
    if (file.outcome == Outcome::refused)
      log::warn("ANYCL_KERNEL_PATH: {}/{} {}", plain_line(name), path, file.problem);
    if (file.outcome != Outcome::read) continue;
    log::info("kernel source {} is read from {}/{} (ANYCL_KERNEL_PATH)", path, plain_line(name), path);
    return std::move(file.text);
  }
  return std::nullopt;
}

}  // namespace anycl::detail
