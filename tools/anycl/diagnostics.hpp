/// \file  What compilers say, as editors and CI read it: `file:line:column: severity: text`.
#pragma once

#include <string>
#include <vector>

#include "anycl/base/build_message.hpp"
#include "json_document.hpp"

namespace anycl::command {

/// A message, and for which devices it was said.
struct Diagnostic {
  BuildMessage message;
  std::vector<std::string> devices;
};

/// Adds what the compiler of `device` said; what another one said in the same words is one diagnostic.
void add_diagnostics(std::vector<Diagnostic>& all, const std::vector<BuildMessage>& messages,
                     const std::string& device);

/// Writes them to stderr, each with the line it is about. `file` stands where a message names none. The devices are named
/// where `of_several` is set.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics, const std::string& file, bool of_several);

[[nodiscard]] Json describe(const BuildMessage& message);

/// The error in a text that may begin with its place, "a.cl:3: it includes itself", or with the name of `file`.
[[nodiscard]] BuildMessage error_message(const std::string& text, const std::string& file);

}  // namespace anycl::command
