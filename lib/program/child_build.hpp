/// \file  Building in a process of its own. Layer 3 (program).
#pragma once

#include <optional>
#include <string>

#include "program/build_request.hpp"
#include "program/build_settings.hpp"
#include "program/cache_entry.hpp"

namespace anycl::detail {

/// Has anycl-worker build what `request` asks for. A compiler that crashes is tried once more without its optimiser; one that
/// crashes again, takes too long or too much memory is an error. Nothing, with the reason in `problem`, where no worker can
/// be had: the build is then to be made here.
/// \throws BuildError, Unsupported  as a build here; BuildError also for a compiler that crashes
/// \throws Timeout
[[nodiscard]] std::optional<CacheEntry> build_in_child(const BuildRequest& request, const CacheKey& key,
                                                       const BuildSettings& settings, std::string& problem);

/// The worker's part: builds what the file in `folder` describes and says on stdout what came of it.
void report_build(const std::string& loader, const std::string& folder);

}  // namespace anycl::detail
