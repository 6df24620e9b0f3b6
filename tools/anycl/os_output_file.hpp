/// \file  A file that appears whole or not at all.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace anycl::command {

/// Bytes collected beside `path`; `commit()` puts them in place of what was there, in one step. Without it nothing is left
/// behind: where the file system can, the bytes have no name before `commit()`, and are gone however the program ends;
/// elsewhere the destructor removes them, and so do SIGHUP, SIGINT and SIGTERM, but not SIGKILL. Opened before the work whose result it takes, so that an unwritable place is known early.
/// One at a time in a process.
class OutputFile {
 public:
  /// \throws IoError  when the file could not be put there; names the reason.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::FILE* stream() const noexcept { return stream_.get(); }

  /// \throws IoError  when not all bytes could be written.
  void commit();

  /// Throws the IoError of a failed write; `reason` is an errno value.
  [[noreturn]] void fail(int reason) const;

 private:
  struct Close {
    void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
  };

  void announce_name() noexcept;
  [[nodiscard]] int open_named();
  void give_name();

  std::string path_;
  std::string target_;     ///< where `path_` leads: a link stays a link
  std::string temporary_;  ///< the name beside it
  bool named_ = false;     ///< `temporary_` is there, or is about to be
  std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace anycl::command
