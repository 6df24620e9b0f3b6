/// \file  Programs that the kernel cache keeps on disk. Layer 3 (program).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "anycl/export.hpp"

namespace anycl {

/// A program that was built for one device, as the cache keeps it.
struct StoredProgram {
  std::string file;    ///< in the cache's folder
  std::string source;  ///< the name that its Source has
  std::vector<std::string> kernels;
  std::string device;
  std::string platform;
  std::string driver_version;
  std::string library_version;  ///< of anycl
  std::string options;          ///< of its build; definitions are part of the text and not shown
  std::uint64_t bytes = 0;      ///< on disk
  std::int64_t used = 0;        ///< seconds since 1970, exact to an hour
};

/// A file in an entry's place that holds nothing for this version of anycl.
struct UnusedFile {
  std::string file;
  std::uint64_t bytes = 0;
};

struct StoredPrograms {
  std::string folder;
  std::uint64_t limit = 0;                    ///< bytes that all may take together
  std::uint64_t bytes = 0;                    ///< that all of them take, and the other files
  std::vector<StoredProgram> programs;        ///< those used last first
  std::vector<UnusedFile> of_other_versions;  ///< of anycl, which may still use them
  std::vector<UnusedFile> damaged;            ///< not what anycl wrote with this folder's secret: built anew
};

struct RemovedPrograms {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// The folder that ANYCL_CACHE_DIR and the others choose, whether it is there or not.
/// \throws IoError  when this user has no place for one, or has another user's rights.
[[nodiscard]] ANYCL_API std::string kernel_cache_folder();

/// Reads all entries in full; what other processes write and remove meanwhile is there or not. No folder: no programs.
/// This and the calls below care for the folder whatever ANYCL_CACHE says of its use, and need no OpenCL.
/// \throws IoError  when the folder cannot be opened, or is not this user's alone.
[[nodiscard]] ANYCL_API StoredPrograms stored_programs();

/// Removes programs that were not used for longest until the others take `limit` bytes at most. Processes that use one go on
/// using it.
/// \throws IoError  as `stored_programs`.
ANYCL_API RemovedPrograms prune_stored_programs(std::uint64_t limit);

/// Removes the damaged ones, and what writers that were killed have left.
/// \throws IoError  as `stored_programs`.
ANYCL_API RemovedPrograms remove_damaged_programs();

/// Copies all programs that are not damaged into `folder`, an absolute path, which is made if it is not there, and readable for
/// everyone. Owned by root, and named by ANYCL_SYSTEM_CACHE_DIR or at its default, it serves every user of a machine with
/// these drivers and this version of anycl. Programs that are there stay, or are replaced; nothing else is touched.
/// Gives how many were copied.
/// \throws IoError  as `stored_programs`; when something cannot be written.
ANYCL_API std::uint64_t export_stored_programs(const std::string& folder);

}  // namespace anycl
