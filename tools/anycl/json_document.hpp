/// \file  The JSON documents that `--json` prints.
#pragma once

#include <cstdio>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace anycl::command {

using Json = nlohmann::ordered_json;

/// A document with its schema, for example "anycl.devices", and the version of that schema. A version only ever gains
/// members; one that changes or loses a member gets the next number.
[[nodiscard]] inline Json make_document(std::string_view schema, int version = 1) {
  return Json{{"schema", schema}, {"version", version}};
}

/// Prints the one document of this run. Bytes that are not UTF-8 (file names may hold any) are replaced.
inline void print_document(const Json& document) {
  fmt::print(stdout, "{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace anycl::command
