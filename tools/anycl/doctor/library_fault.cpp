#include "doctor/library_fault.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/os_library.hpp"
#include "doctor/elf_file.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

Finding fail(std::string text, std::string advice) {
  return {"library", Status::fail, std::move(text), std::move(advice)};
}

/// What cannot be seen in a file that was written elsewhere, and an editor shows neither.
struct UnseenBytes {
  std::string what{};  ///< empty: there are none
  std::string remedy{};
};

UnseenBytes unseen_in(const std::string& library) {
  constexpr std::string_view kBlanks = " \t";
  if (library.ends_with('\r'))
    return {"ends in a carriage return, as lines of Windows do", fmt::format("sed -i 's/\\r$//' {}", kDriverFile)};
  if (library.starts_with("\xEF\xBB\xBF"))
    return {"begins with a byte order mark", fmt::format("sed -i '1s/^\\xEF\\xBB\\xBF//' {}", kDriverFile)};
  if (kBlanks.find(library.front()) != kBlanks.npos || kBlanks.find(library.back()) != kBlanks.npos)
    return {"begins or ends in a blank", fmt::format("sed -i 's/^[[:blank:]]*//; s/[[:blank:]]*$//' {}", kDriverFile)};
  return {};
}

/// The libraries that are not there, with all that they and the others need.
class MissingLibraries {
 public:
  explicit MissingLibraries(const std::string& file) { look(file); }

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  void look(const std::string& file) {
    const auto elf = ElfFile::read(file);
    if (!elf) return;
    for (const std::string& name : elf->needed)
      if (seen_.insert(name).second) look_for(name, elf->run_folders);
  }

  void look_for(const std::string& name, const std::vector<std::string>& folders) {
    const std::string beside = found_in(folders, name);
    const os::Library library = os::Library::open(beside.empty() ? name : beside);
    if (library) return;
    const std::string file = beside.empty() ? find_library_file(name) : beside;
    const std::size_t before = names_.size();
    look(file);
    if (names_.size() == before) add(file.empty() ? missing_in(library.problem(), name) : name);
  }

  void add(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }

  static std::string found_in(const std::vector<std::string>& folders, const std::string& name) {
    std::error_code unknown;
    for (const fs::path folder : folders)
      if (fs::exists(folder / name, unknown)) return (folder / name).string();
    return {};
  }

  /// The system found `name` in a place that we do not know, where that is not the one it misses.
  static std::string missing_in(const std::string& problem, const std::string& name) {
    const auto end = problem.find(": cannot open shared object file");
    return end == problem.npos ? name : problem.substr(0, end);
  }

  std::vector<std::string> names_;
  std::set<std::string> seen_;
};

std::string advice_on_name(const std::string& library) {
  if (library.starts_with('/'))
    return fmt::format("install the package it comes from again, or remove {}", kDriverFile);
  return fmt::format("write its absolute path into {0}, install its package again, or remove {0}", kDriverFile);
}

}  // namespace

std::string reason_not_to_open(const std::string& library) {
  std::error_code unknown;
  const fs::file_status status = fs::status(library, unknown);
  const bool is_path = library.find('/') != std::string::npos;
  return is_path && fs::exists(status) && !fs::is_regular_file(status) ? "it is no regular file" : "";
}

Finding fault_of_library(const std::string& library, const std::string& problem) {
  if (const UnseenBytes unseen = unseen_in(library); !unseen.what.empty())
    return fail(fmt::format("the name '{}' {}, so there is no such file", library, unseen.what), unseen.remedy);
  const std::string file = find_library_file(library);
  const auto elf = ElfFile::read(file);
  if (elf && elf->foreign)
    return fail(
        fmt::format("{} is built for another machine: {}; programs here are {}", file, elf->machine, own_machine()),
        fmt::format("install its package for this architecture, or remove {}", kDriverFile));
  if (const MissingLibraries missing(file); !missing.names().empty())
    return fail(fmt::format("{} needs libraries that are not there, or cannot be opened: {}", file,
                            fmt::join(missing.names(), ", ")),
                fmt::format("install the packages that have them (apt-file search {}), or remove {}",
                            missing.names().front(), kDriverFile));
  if (problem.find("Permission denied") != std::string::npos)
    return fail(fmt::format("{} cannot be opened: {}", library, problem),
                "give all users the right to read it, and to pass the folders above it (chmod a+rX)");
  return fail(fmt::format("{} cannot be opened: {}", library, problem), advice_on_name(library));
}

}  // namespace anycl::command
