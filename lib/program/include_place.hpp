/// \file  Where `#include` finds files. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/program/source.hpp"
#include "base/os_confined_folder.hpp"
#include "program/kernel_path.hpp"

namespace anycl::detail {

constexpr std::size_t kLargestText = std::size_t{16} << 20;  ///< bytes of a source with all that it includes

class IncludePlace;

/// A file that was found.
struct IncludedFile {
  std::string name;  ///< for messages
  std::string_view text;
  std::shared_ptr<const std::string> owner;  ///< of `text`; null where it belongs to the program
  std::string identity;                      ///< the same for one file, by whatever name it was found
  const IncludePlace* place = nullptr;       ///< null: includes are not looked up beside it
  std::string path;                          ///< within `place`, or
  std::size_t folder = 0;                    ///< within this one of its folders
};

/// What came of looking for a file.
struct IncludeLookup {
  std::optional<IncludedFile> file;
  bool outside = false;  ///< the path leads out of the place
  std::string refusal;   ///< there is such a file, and this is why it is not read
};

/// A set of files that includes may name, and nothing outside of it. Paths have no absolute form here.
class IncludePlace {
 public:
  virtual ~IncludePlace() = default;

  [[nodiscard]] virtual IncludeLookup find(std::string_view path) const = 0;

  /// The file that `path` means in `from`, a file of this place: beside it.
  [[nodiscard]] virtual IncludeLookup find_beside(const IncludedFile& from, std::string_view path) const = 0;

  /// Where a file is not, for messages: "among the embedded files". Empty for a place that goes without saying.
  [[nodiscard]] virtual std::string_view description() const = 0;
};

/// Files that are compiled into the program; those of the same path in the folders of ANYCL_KERNEL_PATH take their place.
class EmbeddedPlace : public IncludePlace {
 public:
  /// Keeps no copy: both must outlive the place.
  EmbeddedPlace(std::span<const EmbeddedFile> files, const KernelPath& kernel_path)
      : files_(files), kernel_path_(kernel_path) {}

  /// The file that includes begin in, in `files` or not.
  [[nodiscard]] IncludedFile main_file(std::string_view path, std::string_view text) const;

  [[nodiscard]] IncludeLookup find(std::string_view path) const override;
  [[nodiscard]] IncludeLookup find_beside(const IncludedFile& from, std::string_view path) const override;
  [[nodiscard]] std::string_view description() const override;

 private:
  std::span<const EmbeddedFile> files_;
  const KernelPath& kernel_path_;
};

/// The library's headers for kernels of anybody, `<anycl/atomic.clh>`; no other file that it has.
class DeviceHeaders : public EmbeddedPlace {
 public:
  explicit DeviceHeaders(const KernelPath& kernel_path);

  [[nodiscard]] IncludeLookup find(std::string_view path) const override;
  /// None: who looks for other files need not know of it.
  [[nodiscard]] std::string_view description() const override { return {}; }
};

/// Folders of the machine. They are opened once: what replaces one later is not read.
class FolderPlace : public IncludePlace {
 public:
  /// \throws IoError  for one that cannot be opened.
  explicit FolderPlace(const std::vector<std::string>& folders);

  /// A file of the first folder, which includes begin in. \throws IoError
  [[nodiscard]] IncludedFile main_file(const std::string& path) const;

  [[nodiscard]] IncludeLookup find(std::string_view path) const override;

  /// Also where that is in another of the folders.
  [[nodiscard]] IncludeLookup find_beside(const IncludedFile& from, std::string_view path) const override;
  [[nodiscard]] std::string_view description() const override { return "in the folders to include from"; }

 private:
  struct Root {
    std::string name;      ///< as the caller wrote it
    std::string absolute;  ///< plain, for comparison with other paths
    os::ConfinedFolder folder;
  };

  [[nodiscard]] IncludeLookup find_in(std::size_t folder, const std::string& path) const;

  std::vector<Root> roots_;
};

}  // namespace anycl::detail
