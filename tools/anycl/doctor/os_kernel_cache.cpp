#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "anycl/program/stored_programs.hpp"
#include "base/environment.hpp"
#include "doctor/kernel_cache.hpp"
#include "quantity.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCheck = "kernel cache";

/// The folder itself, or the part of its path that is there already.
fs::path existing_part(fs::path path) {
  std::error_code unknown;
  while (!fs::exists(path, unknown) && path.has_relative_path()) path = path.parent_path();
  return path;
}

/// The first few: a folder may hold thousands.
std::string some_of(const std::vector<UnusedFile>& damaged) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, damaged.size()); ++i) names.push_back(damaged[i].file);
  return fmt::format("{}{}", fmt::join(names, ", "), damaged.size() > kMost ? ", ..." : "");
}

std::string describe(const StoredPrograms& stored, std::uint64_t free_bytes) {
  return fmt::format("{}: {} programs, {} of {}, {} free", stored.folder, stored.programs.size(),
                     bytes_text(stored.bytes), bytes_text(stored.limit), bytes_text(free_bytes));
}

Finding judge(const StoredPrograms& stored) {
  constexpr std::uint64_t kLittleRoom = std::uint64_t{64} << 20;
  const fs::path there = existing_part(stored.folder);
  std::error_code unknown;
  const fs::space_info space = fs::space(there, unknown);
  const std::string text = describe(stored, unknown ? 0 : space.available);
  const bool read_only = environment("ANYCL_CACHE") == "readonly";
  if (!stored.damaged.empty())
    return {kCheck, Status::warn,
            fmt::format("{}; {} are damaged: {}", text, stored.damaged.size(), some_of(stored.damaged)),
            "remove them: anycl cache prune"};
  if (!read_only && ::access(there.c_str(), W_OK | X_OK) != 0)
    return {kCheck, Status::warn, fmt::format("{} cannot be written to, so nothing is kept", there.string()),
            "set ANYCL_CACHE_DIR to a folder of yours"};
  if (!read_only && !unknown && space.available < kLittleRoom)
    return {kCheck, Status::warn, text, "make room, or set ANYCL_CACHE_DIR to another place"};
  return {kCheck, Status::ok, text};
}

}  // namespace

Finding kernel_cache() {
  if (environment("ANYCL_CACHE") == "off") return {kCheck, Status::skip, "off: each process builds its kernels anew"};
  try {
    return judge(stored_programs());
  } catch (const IoError& problem) {
    return {kCheck, Status::warn, fmt::format("each process builds its kernels anew: {}", problem.what()),
            "make the folder yours alone (chmod 700), or set ANYCL_CACHE_DIR to one that is"};
  }
}

}  // namespace anycl::command
