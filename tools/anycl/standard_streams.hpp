/// \file  stdin, stdout and stderr of the command, whatever state its caller left them in.
#pragma once

#include <string_view>

namespace anycl::command {

/// Puts /dev/null in the place of a standard stream that is closed: the next file opened would get its number, and lines
/// meant for stderr would end in a picture. To be called before anything is opened.
void open_closed_streams() noexcept;

/// Writes to stderr. A line that cannot be written is lost, and nothing else.
void say(std::string_view text) noexcept;

/// Hands what was printed to the reader of stdout.
/// \throws std::system_error  when it cannot be written: a result that did not reach its reader is not a result.
void flush_results();

}  // namespace anycl::command
