/// \file  Where anycl's log lines go. Layer 0 (base).
///
/// anycl writes warnings and errors to stderr and nothing to stdout. `ANYCL_LOG=off|error|warn|info|debug|trace`
/// sets the level (default warn).
#pragma once

#include <functional>
#include <string_view>

#include "anycl/export.hpp"

namespace anycl {

enum class LogLevel { off, error, warn, info, debug, trace };

/// Receives each line, without a line end. Called on any thread, one call at a time; what it throws is dropped. It may use
/// the library, whose lines meanwhile are dropped, but not change the sink.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Hands log lines to the host program instead of stderr; an empty function brings stderr back. Any thread.
ANYCL_API void set_log_sink(LogSink sink);

/// Lines less urgent than `level` are dropped. Overrides ANYCL_LOG. Any thread.
ANYCL_API void set_log_level(LogLevel level) noexcept;

}  // namespace anycl
