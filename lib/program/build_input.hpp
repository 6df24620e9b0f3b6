/// \file  What programs are made from. Layer 3 (program).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "anycl/program/build_options.hpp"
#include "anycl/program/source.hpp"

namespace anycl::detail {

/// What a driver's compiler is given.
struct CompilerInput {
  std::string name;   ///< of the source
  std::string label;  ///< for messages
  std::string bytes;  ///< text without includes, or
  bool is_module = false;
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

  /// All bytes that the compiler is given: the definitions and the source, or the module.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] CompilerInput for_compiler() const;

  /// For messages: "blur.cl with RADIUS=3, T=float".
  [[nodiscard]] std::string label() const;

 private:
  void take_options();

  Source source_;
  BuildOptions options_;
  std::string head_;  // of the text: the definitions; the rest is the source's, which variants share
};

}  // namespace anycl::detail
