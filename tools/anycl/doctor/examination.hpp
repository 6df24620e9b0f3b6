/// \file  Looking at the loader and at each driver in a process of its own, which may crash and hang.
#pragma once

#include <chrono>
#include <string>

#include "doctor/report.hpp"

namespace anycl::command {

/// How long a driver may take for one step.
struct StepLimits {
  std::chrono::seconds answer{5};  ///< to load, and to tell what devices there are

  /// To build and run the kernels of one self-test.
  [[nodiscard]] std::chrono::seconds self_test() const noexcept { return 12 * answer; }
};

/// The OpenCL loader that a process here gets.
struct LoaderReport {
  std::string file{};  ///< empty: there is none that works
  std::string name{};  ///< "ocl-icd", "Khronos OpenCL ICD Loader"; empty: it does not tell
  std::string version{};
  std::size_t platforms = 0;  ///< that it offers by itself, where no driver file is
  Findings findings{};
  bool fails_by_layers = false;  ///< those that OPENCL_LAYERS asks for end its process

  [[nodiscard]] bool works() const { return !file.empty(); }
  [[nodiscard]] bool is_ocl_icd() const { return name == "ocl-icd"; }
};

/// What a driver examination is to do.
struct ExaminationOptions {
  StepLimits limits{};
  bool self_tests = true;
  bool layers = true;       ///< that OPENCL_LAYERS asks for
  std::string workplace{};  ///< the folder where its own are made
};

[[nodiscard]] LoaderReport examine_loader(const ExaminationOptions& options);

/// Completes `driver`, of which names, file and library are known.
void examine_driver(DriverReport& driver, const ExaminationOptions& options);

/// The child's side of the two. `target` is "loader", or the library of a driver; empty: what the loader has inside.
void run_examination(const std::string& target, const ExaminationOptions& options);

}  // namespace anycl::command
