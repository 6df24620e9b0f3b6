/// \file  The drivers that the loader is told of: files below a vendor folder, and what variables add.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace anycl::command {

struct DriverFiles {
  std::vector<DriverReport> drivers;  ///< to be examined: those that name a library, by name
  Findings findings;                  ///< on the folder and the variables
};

/// A loader that has platforms inside reads no files, and is the only driver. Opens no library.
[[nodiscard]] DriverFiles driver_files(const LoaderReport& loader);

/// By the name of its file, or of its library; `*` and `?` as in file names.
[[nodiscard]] bool is_called(const DriverReport& driver, const std::string& pattern);

}  // namespace anycl::command
