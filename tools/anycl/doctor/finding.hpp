/// \file  What a check of `anycl doctor` found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json_document.hpp"

namespace anycl::command {

/// fail: something that should work does not. warn: it works, with something to know. skip: not there, or not asked.
enum class Status { ok, warn, fail, skip };

[[nodiscard]] std::string_view to_string(Status status) noexcept;

struct Finding {
  std::string check;  ///< what was checked, a word or two that stay the same over versions
  Status status = Status::ok;
  std::string text;      ///< what was found and where, one line
  std::string advice{};  ///< what to do about it; empty: nothing
};

using Findings = std::vector<Finding>;

/// A file's name for advice that is a command: quoted where a shell would not take it as one word.
[[nodiscard]] std::string shell_word(std::string_view name);

/// {"check", "status", "text", "advice"}; no advice is null.
[[nodiscard]] Json to_json(const Finding& finding);

/// \throws Json::exception  unless `to_json` could have made `json`.
[[nodiscard]] Finding finding_from(const Json& json);

}  // namespace anycl::command
