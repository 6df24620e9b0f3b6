/// \file  What programs are made from. Layer 3 (program).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "anycl/program/build_options.hpp"
#include "anycl/program/source.hpp"
#include "base/digest.hpp"

namespace anycl::detail {

/// What a driver's compiler is given.
struct CompilerInput {
  std::string name;   ///< of the source
  std::string label;  ///< for messages
  std::string bytes;  ///< text without includes, or
  bool is_module = false;
  std::string key_text{};  ///< BuildInput::key_text
};

/// A source with its includes in place, or a module, and what it is built with. Immutable; cheap to copy.
class BuildInput {
 public:
  /// Reads the includes, if that was not done before for this source.
  /// \throws InvalidArgument  as `expand`; for definitions and a language with a module, which is compiled already.
  BuildInput(const Source& source, const BuildOptions& options);

  /// The same with further definitions, which replace those of their names. Expands nothing again.
  /// \throws InvalidArgument  for a module.
  [[nodiscard]] BuildInput with(std::span<const Definition> definitions) const;

  [[nodiscard]] const Source& source() const noexcept { return source_; }
  [[nodiscard]] const BuildOptions& options() const noexcept { return options_; }

  /// Of the source with its includes, or of the module. Made once for a source object.
  [[nodiscard]] const Digest& digest() const noexcept { return digest_; }
  /// What stands ahead of the source: the definitions.
  [[nodiscard]] const std::string& head() const noexcept { return head_; }
  /// What makes two of them different, as a text.
  [[nodiscard]] std::string key_text() const { return head_ + to_hex(digest_); }

  /// By value.
  friend bool operator==(const BuildInput& a, const BuildInput& b) {
    return a.digest_ == b.digest_ && a.options_ == b.options_ && a.head_ == b.head_ &&
           a.source_.name() == b.source_.name();
  }

  /// All bytes that the compiler is given: the definitions and the source, or the module.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] CompilerInput for_compiler() const;

  /// For messages: "blur.cl with RADIUS=3, T=float".
  [[nodiscard]] std::string label() const;

 private:
  void take_options();

  Source source_;
  BuildOptions options_;
  Digest digest_{};
  std::string head_;  // of the text: the definitions; the rest is the source's, which variants share
};

}  // namespace anycl::detail
