/// \file  Where the helper program anycl-worker is. Layer 0 (base).
#pragma once

#include <optional>
#include <string>

namespace anycl {

/// The file ANYCL_WORKER, else the one that belongs to this library, wherever that was moved to. Nothing, with the places
/// looked at in `problem`, when it is not there.
[[nodiscard]] std::optional<std::string> find_worker(std::string& problem);

}  // namespace anycl
