/// \file  The self-tests. Each waits for its own work, and throws what the library throws.
#pragma once

#include "self_test/rig.hpp"

namespace anycl::command::self_test {

[[nodiscard]] Outcome build(Rig& rig);

/// `T`: an integer type of OpenCL C.
template <class T>
[[nodiscard]] Outcome integer(Rig& rig);
/// `T`: float or double.
template <class T>
[[nodiscard]] Outcome floating(Rig& rig);
[[nodiscard]] Outcome half(Rig& rig);

[[nodiscard]] Outcome global_atomics(Rig& rig);
[[nodiscard]] Outcome local_atomics(Rig& rig);

[[nodiscard]] Outcome barriers(Rig& rig);
[[nodiscard]] Outcome local_memory(Rig& rig);
[[nodiscard]] Outcome sub_groups(Rig& rig);

[[nodiscard]] Outcome odd_copies(Rig& rig);
[[nodiscard]] Outcome wide_indices(Rig& rig);
[[nodiscard]] Outcome images(Rig& rig);

[[nodiscard]] Outcome long_loop(Rig& rig);
[[nodiscard]] Outcome timers(Rig& rig);
[[nodiscard]] Outcome stored_build(Rig& rig);

}  // namespace anycl::command::self_test
