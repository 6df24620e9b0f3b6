/// \file  Private files: read without trusting what is there, written whole or not at all. Layer 0 (base).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace anycl::os {

using Bytes = std::vector<std::byte>;

/// One line that changes when the file at `path`, or where a link there leads, is replaced or written to; empty when there
/// is none.
[[nodiscard]] std::string file_identity(const std::string& path);

/// An open folder that one user alone writes to, as a rule this one. All names below it are plain file names, never paths.
class PrivateFolder {
 public:
  enum class IfMissing { make, fail };
  /// Who may read what is made here.
  enum class Readers { owner, everyone };

  /// Opens `path`; its missing parts are made (mode 0700, or 0755 for readers) if asked for. Fails, with a reason in
  /// `problem`, unless the folder itself is a real folder of this user that nobody else may write to.
  [[nodiscard]] static std::optional<PrivateFolder> open(const std::string& path, std::string& problem,
                                                         IfMissing if_missing = IfMissing::make,
                                                         Readers readers = Readers::owner);

  /// For reading: a folder of root that nobody else may write to, whoever this user is.
  [[nodiscard]] static std::optional<PrivateFolder> open_of_root(const std::string& path, std::string& problem);

  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&& other) noexcept;
  ~PrivateFolder();

  /// Content of `name` if it is a plain file of the folder's user, not writable by others, not linked twice, and at most
  /// `size_limit` bytes; anything else (a symlink, a FIFO, a folder) is nothing. Never blocks on what it finds.
  [[nodiscard]] std::optional<Bytes> read(const std::string& name, std::size_t size_limit) const;

  /// Writes all of `content` under `name`, mode 0600 or, for readers, 0644, replacing what was there in one step; readers
  /// see the old file or the new one. On failure nothing is left behind and `problem` says why. A process killed in the
  /// middle leaves nothing either, but for the moment between naming the whole file and renaming it, and on systems that
  /// have no files without names; `remove_leftovers` is for those.
  [[nodiscard]] bool replace(const std::string& name, std::span<const std::byte> content, std::string& problem) const;

  /// As `replace`, but keeps a file that is already there (false then, with an empty `problem`).
  [[nodiscard]] bool create(const std::string& name, std::span<const std::byte> content, std::string& problem) const;

  /// Removes `name`; a missing file is fine. Who has it open goes on reading it.
  void remove(const std::string& name) const noexcept;

  struct File {
    std::string name;
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  ///< seconds since 1970, as the file system tells
  };
  /// The plain files of the folder's user that others may not write to, in no order. Nothing when the folder cannot be listed.
  [[nodiscard]] std::optional<std::vector<File>> files() const;

  /// Says of `name` that it was of use now, for who must choose what to remove. Exact to an hour: more often it asks the file
  /// system for nothing but the time that is there.
  void mark_used(const std::string& name) const noexcept;

  /// Removes what writers that were killed have left here; what is younger than `age` may belong to one that lives.
  void remove_leftovers(std::chrono::seconds age) const;

 private:
  /// Whose the folder is, and who reads what is made in it.
  struct Rights {
    unsigned owner = 0;
    unsigned file_mode = 0600;
  };

  PrivateFolder(int descriptor, Rights rights) noexcept : descriptor_(descriptor), rights_(rights) {}

  [[nodiscard]] static std::optional<PrivateFolder> open_existing(const std::string& path, Rights rights,
                                                                  std::string& problem);

  [[nodiscard]] std::optional<std::string> write_temporary(std::span<const std::byte> content,
                                                           std::string& problem) const;

  int descriptor_;
  Rights rights_;
};

}  // namespace anycl::os
