/// \file  Small computations whose results are known, to see whether a device and its driver can be trusted.
#pragma once

#include <chrono>

#include "anycl/device/device.hpp"
#include "doctor/examination_log.hpp"

namespace anycl::command {

/// Runs every self-test on `device` and tells `log` of each. A test may take as long as `limit`.
void run_self_tests(const Device& device, ExaminationLog& log, std::chrono::seconds limit);

}  // namespace anycl::command
