/// \file  What the exit code of `anycl` says.
#pragma once

namespace anycl::command {

enum class ExitCode : int {
  done = 0,
  answered_no = 1,  ///< ran to the end, and the answer is no; or the driver failed on the way
  bad_input = 2,    ///< the command line or a file cannot be used; nothing was done
  no_device = 3,    ///< no usable device, or not enough memory
};

}  // namespace anycl::command
