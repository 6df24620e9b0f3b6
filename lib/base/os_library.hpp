/// \file  Shared libraries at run time. Layer 0 (base).
#pragma once

#include <string>

namespace anycl::os {

/// A shared library opened by name; never closed, since drivers behind it keep threads and exit handlers.
class Library {
 public:
  Library() = default;

  /// Empty when the system cannot open `name`; `problem()` then says why.
  [[nodiscard]] static Library open(const std::string& name);

  /// What `open` would give if it is in the process already; else empty.
  [[nodiscard]] static Library find_loaded(const std::string& name);

  [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  /// The file that was opened; empty when the system does not tell.
  [[nodiscard]] std::string file() const;

  /// Address of `symbol`, or null.
  [[nodiscard]] void* find(const char* symbol) const noexcept;

 private:
  void* handle_ = nullptr;
  std::string problem_;
};

/// Address of a symbol that is in the process already (preloaded or linked by the host), or null.
[[nodiscard]] void* find_in_process(const char* symbol) noexcept;

/// File that holds the code at `address`; empty when unknown.
[[nodiscard]] std::string file_of(const void* address);

}  // namespace anycl::os
