/// \file  OpenCL C source text, and modules made from it. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/export.hpp"

namespace anycl {

/// A file compiled into the program by `anycl_embed_kernels()`.
struct EmbeddedFile {
  std::string_view path;    ///< as `#include` lines name it
  std::string_view text;    ///< the file's bytes
  std::string_view sha256;  ///< of `text`, 64 hexadecimal digits
};

namespace detail {
struct ExpandedSource;

/// Keeps what a source is with its includes, once that is known. Any thread.
class ExpansionSlot {
 public:
  constexpr ExpansionSlot() noexcept = default;
  ExpansionSlot(const ExpansionSlot& other) : expanded_(other.get()) {}
  ExpansionSlot& operator=(const ExpansionSlot& other) {
    set(other.get());
    return *this;
  }
  ~ExpansionSlot() = default;

  /// Null: not known yet.
  [[nodiscard]] std::shared_ptr<const ExpandedSource> get() const {
    const std::lock_guard lock(mutex_);
    return expanded_;
  }
  void set(std::shared_ptr<const ExpandedSource> expanded) const {
    const std::lock_guard lock(mutex_);
    expanded_.swap(expanded);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ExpandedSource> expanded_;
};
}  // namespace detail

/// OpenCL C source and the files it may include, or a SPIR-V module. A cheap handle; immutable; any thread.
///
/// `#include "file"` and `#include <file>` mean the same: the file beside the one that says it, else the first of the source's
/// places that has it. Behind them stand the library's device headers: `<anycl/atomic.clh>`, `<anycl/random.clh>`,
/// `<anycl/sub_group.clh>`; each says on top what it has. No other file of the machine is ever read: not by an absolute path, nor by "..", nor through a
/// symbolic link that leaves its folder. An include that is nowhere to be found is a BuildError where the compiler gets to it.
class ANYCL_API Source {
 public:
  /// An embedded file; `#include` in it finds `files` and the device headers. Keeps no copy: both must outlive the source. While
  /// ANYCL_KERNEL_PATH names folders, each Kernel reads files of the same path there in their place.
  constexpr Source(const EmbeddedFile& file, std::span<const EmbeddedFile> files) noexcept
      : name_(file.path), text_(file.text), files_(files) {}

  /// Text made at run time, kept by the source. `name` is what messages call it.
  Source(std::string text, std::string name = "source");   // NOLINT(google-explicit-constructor): text is a source
  Source(const char* text) : Source(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  /// The same with folders of the machine, in which `#include` finds files: in the first that has one, and below it. All
  /// that is included is read now.
  /// \throws IoError          for a folder that cannot be opened.
  /// \throws InvalidArgument  as `from_file`.
  Source(std::string text, std::string name, const std::vector<std::string>& include_folders);

  /// A file of the machine. `#include` in it finds files below its folder and below `include_folders`. The file and all that
  /// it includes are read now: to take up a later edit, make another source. Messages name files as `path`, or the folder,
  /// and the `#include` lines do.
  /// \throws IoError          when the file or a folder cannot be read, or the file is not a plain one.
  /// \throws InvalidArgument  naming file, line and chain of includes: for one that includes itself, is an absolute path,
  ///                          leads out of its folder by a link, is no plain file, is over 16 MiB or cannot be read; for
  ///                          text that could reach files in another way.
  [[nodiscard]] static Source from_file(const std::string& path, const std::vector<std::string>& include_folders = {});

  /// A SPIR-V module with kernels, compiled elsewhere; copied. Devices that take no SPIR-V, or none of its version, are
  /// Unsupported when they shall build it: Capabilities::intermediate_languages tells. It takes no definitions. Give modules of
  /// a compiler you trust: their layout is checked, but some drivers end the process where instructions make no sense.
  /// \throws InvalidArgument  for bytes that are no such module of this machine's byte order, or are cut; says where.
  [[nodiscard]] static Source from_spirv(std::span<const std::byte> module, std::string name = "module");

  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// Empty for source text.
  [[nodiscard]] std::span<const std::byte> module() const noexcept {
    return module_ ? std::span<const std::byte>(*module_) : std::span<const std::byte>();
  }
  [[nodiscard]] std::span<const EmbeddedFile> files() const noexcept { return files_; }

  /// Library internals; not part of the API.
  [[nodiscard]] bool is_embedded() const noexcept { return owned_ == nullptr; }
  /// Library internals; not part of the API.
  [[nodiscard]] const detail::ExpansionSlot& expansion() const noexcept { return expansion_; }

 private:
  struct Owned;

  std::string_view name_;
  std::string_view text_;
  std::span<const EmbeddedFile> files_;
  std::shared_ptr<const Owned> owned_;  // null: text and name belong to the program
  detail::ExpansionSlot expansion_;
  std::shared_ptr<const std::vector<std::byte>> module_;
};

}  // namespace anycl
