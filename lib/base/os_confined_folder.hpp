/// \file  Reading what lies below a folder, and nothing else. Layer 0 (base).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace anycl::os {

/// What came of reading a file.
struct ConfinedFile {
  enum class Outcome {
    read,
    missing,  ///< there is nothing of that name
    outside,  ///< the path climbs out of the folder by ".."
    refused   ///< there is something, but not to be read; `problem` says why
  };

  Outcome outcome = Outcome::missing;
  std::string text;
  std::string identity;  ///< the same for one file, by whatever path it was reached
  std::string problem;
};

/// An open folder. No path, no symbolic link and no change made to the folder meanwhile leads to a file that is not below
/// it: each step of the way is taken from the step before, by the system or, where that cannot, by a walk of our own.
class ConfinedFolder {
 public:
  /// Who takes the steps.
  enum class Way { best, walk };

  /// Opens `path`, in which links are followed. Nothing, with the reason in `problem`, where that fails.
  [[nodiscard]] static std::optional<ConfinedFolder> open(const std::string& path, std::string& problem);

  ConfinedFolder(ConfinedFolder&& other) noexcept;
  ConfinedFolder& operator=(ConfinedFolder&& other) noexcept;
  ~ConfinedFolder();

  /// The file at `path`, relative to the folder. Links are followed as long as they stay below it; an absolute one never
  /// does. Only plain files of at most `size_limit` bytes are read; a FIFO or a device is none, and is not waited for.
  [[nodiscard]] ConfinedFile read(const std::string& path, std::size_t size_limit, Way way = Way::best) const;

 private:
  explicit ConfinedFolder(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace anycl::os
