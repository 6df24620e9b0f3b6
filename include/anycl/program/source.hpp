/// \file  OpenCL C source text. Layer 3 (program).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "anycl/export.hpp"

namespace anycl {

/// A file compiled into the program by `anycl_embed_kernels()`.
struct EmbeddedFile {
  std::string_view path;    ///< as `#include` lines name it
  std::string_view text;    ///< the file's bytes
  std::string_view sha256;  ///< of `text`, 64 hexadecimal digits
};

/// OpenCL C source and the files it may include. A cheap handle; immutable; any thread.
class ANYCL_API Source {
 public:
  /// An embedded file; `#include` in it finds `files` and nothing else. Keeps no copy: both must outlive the source.
  constexpr Source(const EmbeddedFile& file, std::span<const EmbeddedFile> files) noexcept
      : name_(file.path), text_(file.text), files_(files) {}

  /// Text made at run time, kept by the source. `name` is what messages call it.
  Source(std::string text, std::string name = "source");   // NOLINT(google-explicit-constructor): text is a source
  Source(const char* text) : Source(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::span<const EmbeddedFile> files() const noexcept { return files_; }

 private:
  struct Owned;

  std::string_view name_;
  std::string_view text_;
  std::span<const EmbeddedFile> files_;
  std::shared_ptr<const Owned> owned_;
};

}  // namespace anycl
