/// \file  How errors reach the user: one line on stderr, an exit code, and a JSON document where one was asked for.
#pragma once

#include <exception>
#include <string_view>

#include "exit_code.hpp"

namespace anycl::command {

/// Reports `failure` and returns what the program ends with. With `json`, stdout gets a document with a member `error`.
ExitCode report_failure(const std::exception& failure, bool json);

/// What JSON documents call it: "build_error", "unsupported", ...
[[nodiscard]] std::string_view kind_of(const std::exception& failure);

}  // namespace anycl::command
