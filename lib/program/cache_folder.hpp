/// \file  What lies in the folder of the kernel cache: entries, and a secret that signs them. Layer 3 (program).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/program/stored_programs.hpp"
#include "base/digest.hpp"
#include "base/os_file.hpp"

namespace anycl::detail {

/// File of the entry whose key has this digest.
[[nodiscard]] std::string entry_name(const Digest& digest);

[[nodiscard]] std::optional<Digest> read_secret(const os::PrivateFolder& folder);

/// The folder's secret; the first process to need one makes it, and all others use that. Nothing, with a reason in
/// `problem`, when that does not work.
[[nodiscard]] std::optional<Digest> shared_secret(const os::PrivateFolder& folder, bool may_write,
                                                  std::string& problem);

using Files = std::vector<os::PrivateFolder::File>;

/// Those not used for longest first. A time in the future, of before the clock was set back, is as good as none. Nothing when
/// the folder cannot be listed.
[[nodiscard]] std::optional<Files> entries_by_use(const os::PrivateFolder& folder);

[[nodiscard]] std::uint64_t bytes_of(const Files& files) noexcept;

/// Removes the file, and counts it.
void remove(const os::PrivateFolder& folder, const std::string& name, std::uint64_t bytes, RemovedPrograms& removed);

/// Removes entries that were not used for longest, `spared` apart, until the others take `limit` bytes at most.
RemovedPrograms shrink(const os::PrivateFolder& folder, std::uint64_t limit, std::string_view spared = {});

/// Removes what writers that were killed have left.
void remove_leftovers(const os::PrivateFolder& folder);

}  // namespace anycl::detail
