#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "doctor/device_nodes.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

struct NodeKind {
  const char* folder;
  std::string_view name_begins;
};

constexpr NodeKind kKinds[] = {
    {"dev/dri", "renderD"},                  // Intel, AMD, Mesa
    {"dev", "kfd"},                          // AMD's ROCm
    {"dev", "nvidia"},                       // cards, their control node, their memory
    {"dev", "mali"},        {"dev", "dxg"},  // cards of a Windows host
};

std::vector<fs::path> nodes_below(const fs::path& root) {
  std::vector<fs::path> nodes;
  for (const auto& [folder, begins] : kKinds) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(root / folder, ignored))
      if (entry.path().filename().string().starts_with(begins) && !entry.is_directory(ignored))
        nodes.push_back(entry.path());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::string group_name(gid_t group) {
  struct group entry {};
  struct group* found = nullptr;
  std::array<char, 4096> storage{};
  ::getgrgid_r(group, &entry, storage.data(), storage.size(), &found);
  return found != nullptr ? found->gr_name : std::to_string(group);
}

bool group_has_name(gid_t group) { return group_name(group) != std::to_string(group); }

std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> storage{};
  ::getpwuid_r(::getuid(), &entry, storage.data(), storage.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(::getuid());
}

bool is_member(gid_t group) {
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<std::size_t>(std::max(count, 0)));
  groups.push_back(::getegid());
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

/// The node's own rights would let this user in, so something above them does not.
constexpr const char* kPolicy = "a container or a security policy forbids it: allow the device there";

/// Nodes of cards belong to groups made for them: nobody is to join the group of root for a device's sake.
constexpr const char* kPackage =
    "it should belong to the group 'render' or 'video': install its driver's package again, which sets "
    "the rights";

std::string advice_on(const struct stat& node, int reason) {
  constexpr mode_t kBoth = S_IRGRP | S_IWGRP;
  if (reason == EPERM) return kPolicy;
  if (reason != EACCES) return "see the kernel's log for its driver (dmesg)";
  if (node.st_gid == 0) return kPackage;
  if (!group_has_name(node.st_gid))
    return fmt::format(
        "its group {0} has no name here, as in a container: start that with the group added (--group-add {0})",
        node.st_gid);
  if ((node.st_mode & kBoth) != kBoth)
    return fmt::format("give its group '{}' the right to read and write it, and join that", group_name(node.st_gid));
  if (is_member(node.st_gid)) return kPolicy;
  return fmt::format("join the group '{0}' and log in again: sudo usermod -a -G {0} {1}", group_name(node.st_gid),
                     user_name());
}

Finding open_node(const fs::path& node) {
  const int descriptor = ::open(node.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const int reason = errno;
  if (descriptor >= 0) {
    ::close(descriptor);
    return {"device node", Status::ok, node.string()};
  }
  struct stat facts {};
  ::stat(node.c_str(), &facts);
  return {"device node", Status::fail, fmt::format("{} cannot be opened: {}", node.string(), std::strerror(reason)),
          advice_on(facts, reason)};
}

}  // namespace

Findings device_nodes(const std::string& root) {
  Findings findings;
  for (const fs::path& node : nodes_below(root)) findings.push_back(open_node(node));
  return findings;
}

}  // namespace anycl::command
