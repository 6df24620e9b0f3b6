/// \file  Which OpenCL loader a process has.
#pragma once

#include <string>

namespace anycl::command {

struct LoaderIdentity {
  std::string
      name{};  ///< "ocl-icd" (which calls itself just "OpenCL ICD Loader"), "Khronos OpenCL ICD Loader", or empty
  std::string version{};
};

/// Asks the loader in `file`, which this process uses already. Runs its code.
[[nodiscard]] LoaderIdentity identify_loader(const std::string& file);

}  // namespace anycl::command
