/// \file  Runs a test on Oclgrind and writes down what it launches, for tests/oclgrind/gate.py.
#pragma once

#include <functional>

#include "support/devices.hpp"

namespace anycl::test {

/// `body` on Oclgrind's device, with a context of its own: Oclgrind does not bear programs that are released while the
/// process ends, as those of the shared context are. For each kernel and each of its builds that is launched, one line
///   image/sobel.cl sobel CHANNELS=1 INDEX=uint LANES=4
/// is added to the file that ANYCL_LAUNCH_LOG names: what the driver was given, whatever the test meant to give it.
void on_oclgrind(const std::function<void(Rig&)>& body);

}  // namespace anycl::test
