#include "anycl/program/source.hpp"

#include <filesystem>
#include <utility>

#include "program/include_expander.hpp"
#include "program/include_place.hpp"
#include "program/spirv_module.hpp"

namespace anycl {
namespace {

/// `main` with what it includes from `place`.
std::shared_ptr<const detail::ExpandedSource> expanded(detail::IncludedFile main, const detail::FolderPlace& place) {
  const detail::KernelPath nothing_replaced;
  const detail::DeviceHeaders headers(nothing_replaced);
  const detail::IncludePlace* const places[] = {&place, &headers};
  return std::make_shared<const detail::ExpandedSource>(detail::expand(std::move(main), places));
}

}  // namespace

struct Source::Owned {
  std::string text;
  std::string name;
};

Source::Source(std::string text, std::string name)
    : owned_(std::make_shared<const Owned>(Owned{std::move(text), std::move(name)})) {
  name_ = owned_->name;
  text_ = owned_->text;
}

Source::Source(std::string text, std::string name, const std::vector<std::string>& include_folders)
    : Source(std::move(text), std::move(name)) {
  detail::IncludedFile main;
  main.name = name_;
  main.text = text_;
  expansion_.set(expanded(std::move(main), detail::FolderPlace(include_folders)));
}

Source Source::from_file(const std::string& path, const std::vector<std::string>& include_folders) {
  const std::filesystem::path file(path);
  std::vector<std::string> folders{file.parent_path().string()};
  folders.insert(folders.end(), include_folders.begin(), include_folders.end());
  const detail::FolderPlace place(folders);
  detail::IncludedFile main = place.main_file(file.filename().string());
  Source source(*main.owner, main.name);
  source.expansion_.set(expanded(std::move(main), place));
  return source;
}

Source Source::from_spirv(std::span<const std::byte> module, std::string name) {
  detail::check_spirv(module, name);
  Source source(std::string(), std::move(name));
  source.module_ = std::make_shared<const std::vector<std::byte>>(module.begin(), module.end());
  return source;
}

}  // namespace anycl
