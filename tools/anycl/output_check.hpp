/// \file  Outputs that would take the place of files that a command reads.
#pragma once

#include <span>
#include <string>

namespace anycl::command {

/// Whether both names lead to one file, or would lead to one that is still to be made.
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

/// \param option  that named the output
/// \throws InvalidArgument  when `output` is one of `inputs`, whatever it is called; names both.
void refuse_to_replace(std::span<const std::string> inputs, const std::string& output, const std::string& option);

}  // namespace anycl::command
