#include "program/include_place.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl_kernels.hpp"
#include "base/plain_line.hpp"

namespace anycl::detail {
namespace {

namespace fs = std::filesystem;
using Outcome = os::ConfinedFile::Outcome;

/// `path` as seen from the folder of the file `from`.
std::string beside(std::string_view from, std::string_view path) {
  return (fs::path(from).parent_path() / path).generic_string();
}

std::string normal(std::string_view path) { return fs::path(path).lexically_normal().generic_string(); }

/// `path` without "." and doubled slashes. ".." stays: where it leads is for the file system to say.
std::string plain(std::string_view path) {
  fs::path parts;
  for (const fs::path& part : fs::path(path))
    if (!part.empty() && part != ".") parts /= part;
  return parts.generic_string();
}

std::string name_in(std::string_view folder, const std::string& path) {
  return folder.empty() ? path : (fs::path(folder) / path).generic_string();
}

/// `absolute` as seen from `folder`, both plain; nothing when it is not below.
std::optional<std::string> path_below(const std::string& folder, const std::string& absolute) {
  const std::string begin = folder.ends_with('/') ? folder : folder + '/';
  if (!absolute.starts_with(begin)) return std::nullopt;
  return absolute.substr(begin.size());
}

IncludedFile owning(std::string name, std::string text) {
  IncludedFile file;
  file.name = std::move(name);
  file.owner = std::make_shared<const std::string>(std::move(text));
  file.text = *file.owner;
  return file;
}

}  // namespace

IncludedFile EmbeddedPlace::main_file(std::string_view path, std::string_view text) const {
  IncludedFile file;
  if (auto replacement = kernel_path_.find(std::string(path)))
    file = owning({}, *std::move(replacement));
  else
    file.text = text;
  file.name = file.path = path;
  file.identity = "embedded " + file.path;
  file.place = this;
  return file;
}

IncludeLookup EmbeddedPlace::find(std::string_view path) const {
  const std::string wanted = normal(path);
  for (const EmbeddedFile& file : files_)
    if (file.path == wanted) return {main_file(file.path, file.text), false, {}};
  return {};
}

std::string_view EmbeddedPlace::description() const {
  return files_.empty() ? "there: its source was given no folders to include from" : "among the embedded files";
}

IncludeLookup EmbeddedPlace::find_beside(const IncludedFile& from, std::string_view path) const {
  return find(beside(from.path, path));
}

DeviceHeaders::DeviceHeaders(const KernelPath& kernel_path) : EmbeddedPlace(kernels::embedded_files, kernel_path) {}

IncludeLookup DeviceHeaders::find(std::string_view path) const {
  return normal(path).starts_with("anycl/") ? EmbeddedPlace::find(path) : IncludeLookup();
}

FolderPlace::FolderPlace(const std::vector<std::string>& folders) {
  for (const std::string& name : folders) {
    std::string problem;
    auto folder = os::ConfinedFolder::open(name.empty() ? "." : name, problem);
    if (!folder) throw IoError(problem);
    std::error_code ignored;  // no working folder: its files are not found from others
    roots_.push_back(
        {name, normal(fs::absolute(name.empty() ? "." : name, ignored).generic_string()), std::move(*folder)});
  }
}

IncludedFile FolderPlace::main_file(const std::string& path) const {
  IncludeLookup found = find_in(0, path);
  if (!found.refusal.empty()) throw IoError(fmt::format("kernel source {}", found.refusal));
  if (!found.file)
    throw IoError(fmt::format("there is no kernel source '{}'", plain_line(name_in(roots_.front().name, path))));
  return *std::move(found.file);
}

IncludeLookup FolderPlace::find(std::string_view path) const {
  IncludeLookup nothing;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    IncludeLookup found = find_in(i, plain(path));
    if (found.file || !found.refusal.empty()) return found;
    nothing.outside = nothing.outside || found.outside;
  }
  return nothing;
}

IncludeLookup FolderPlace::find_beside(const IncludedFile& from, std::string_view path) const {
  IncludeLookup found = find_in(from.folder, plain(beside(from.path, path)));
  if (!found.outside) return found;
  const std::string absolute = normal(beside(name_in(roots_[from.folder].absolute, from.path), path));
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const auto there = path_below(roots_[i].absolute, absolute);
    if (!there || i == from.folder) continue;
    IncludeLookup elsewhere = find_in(i, *there);
    if (elsewhere.file || !elsewhere.refusal.empty()) return elsewhere;
  }
  return found;
}

IncludeLookup FolderPlace::find_in(std::size_t folder, const std::string& path) const {
  const Root& root = roots_[folder];
  os::ConfinedFile read = root.folder.read(path, kLargestText);
  std::string name = name_in(root.name, path);
  if (read.outcome == Outcome::outside) return {std::nullopt, true, {}};
  if (read.outcome == Outcome::refused)
    return {std::nullopt, false, fmt::format("'{}' {}", plain_line(name), read.problem)};
  if (read.outcome == Outcome::missing) return {};
  IncludedFile file = owning(std::move(name), std::move(read.text));
  file.identity = std::move(read.identity);
  file.place = this;
  file.path = path;
  file.folder = folder;
  return {std::move(file), false, {}};
}

}  // namespace anycl::detail
