/// \file  The exceptions anycl throws: one hierarchy, one line of text each. Layer 0 (base).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "anycl/base/build_message.hpp"
#include "anycl/export.hpp"

namespace anycl {

/// Root of everything anycl throws on purpose. `what()` is one line: what failed, the values, what to do.
class ANYCL_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller passed something that can never work; nothing was enqueued or changed.
class ANYCL_API InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The device, the driver or this version of anycl lacks the feature that the text names.
class ANYCL_API Unsupported : public Error {
 public:
  using Error::Error;
};

/// No loader, no driver, or no device that the selection accepts; the text says what there is and why not.
class ANYCL_API NoDevice : public Error {
 public:
  using Error::Error;
};

/// Memory asked for exceeds what a device has or grants.
class ANYCL_API OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& text, std::uint64_t bytes_asked, std::uint64_t bytes_limit)
      : Error(text), bytes_asked_(bytes_asked), bytes_limit_(bytes_limit) {}

  [[nodiscard]] std::uint64_t bytes_asked() const noexcept { return bytes_asked_; }
  /// The limit that was hit; 0 when the driver gave none.
  [[nodiscard]] std::uint64_t bytes_limit() const noexcept { return bytes_limit_; }

 private:
  std::uint64_t bytes_asked_;
  std::uint64_t bytes_limit_;
};

/// Kernel source that a device's compiler refused. `what()` begins with one line (source, device, first message)
/// and shows the failing source line below it; `messages()` is all that the compiler said, in its order; `log()` is the
/// driver's log as it came, without blanks at its ends.
class ANYCL_API BuildError : public Error {
 public:
  BuildError(const std::string& text, std::string source_name, std::string options, std::string log,
             std::vector<BuildMessage> messages = {})
      : Error(text),
        source_name_(std::move(source_name)),
        options_(std::move(options)),
        log_(std::move(log)),
        messages_(std::move(messages)) {}

  [[nodiscard]] const std::string& source_name() const noexcept { return source_name_; }
  [[nodiscard]] const std::string& options() const noexcept { return options_; }
  [[nodiscard]] const std::string& log() const noexcept { return log_; }
  /// Those of the log whose wording anycl knows, at most 1,000; none when the compiler left no such log.
  [[nodiscard]] const std::vector<BuildMessage>& messages() const noexcept { return messages_; }

 private:
  std::string source_name_;
  std::string options_;
  std::string log_;
  std::vector<BuildMessage> messages_;
};

/// The device stopped answering or was taken away; work on it is lost.
class ANYCL_API DeviceLost : public Error {
 public:
  using Error::Error;
};

/// A stated time limit passed.
class ANYCL_API Timeout : public Error {
 public:
  using Error::Error;
};

/// The work never ran because something before it failed or its context was closed; the text holds the first cause.
class ANYCL_API Cancelled : public Error {
 public:
  using Error::Error;
};

/// A file could not be read or written; the text names the file and the reason.
class ANYCL_API IoError : public Error {
 public:
  using Error::Error;
};

/// An object made before `fork()` was used in the child, where no OpenCL driver works.
class ANYCL_API UsedAfterFork : public Error {
 public:
  using Error::Error;
};

/// An OpenCL call failed in a way no other class describes.
class ANYCL_API ClError : public Error {
 public:
  ClError(const std::string& text, int code, std::string call) : Error(text), code_(code), call_(std::move(call)) {}

  /// The OpenCL error code, for example -54.
  [[nodiscard]] int code() const noexcept { return code_; }
  /// The call, for example "clEnqueueNDRangeKernel".
  [[nodiscard]] const std::string& call() const noexcept { return call_; }

 private:
  int code_;
  std::string call_;
};

/// Name and number of an OpenCL status code: "CL_INVALID_VALUE (-30)"; unknown codes give "unknown code (-12345)".
[[nodiscard]] ANYCL_API std::string describe_code(int code);

}  // namespace anycl
