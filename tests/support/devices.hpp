/// \file  The devices that tests run on.
#pragma once

#include <functional>

#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/device/device.hpp"

namespace anycl::test {

/// One device to test on. The context spans all visible devices and serves the whole process; the queue is new.
struct Rig {
  Context& context;
  Queue& queue;
  const Device& device;
};

/// Runs `body` for every device that the process sees. Fails when there is none, and when ANYCL_TEST_PLATFORM (set by
/// tests/drivers/with_driver) names one that is not among theirs: a test that ran nowhere must not pass.
void for_each_device(const std::function<void(Rig&)>& body);

/// The context behind all rigs.
[[nodiscard]] Context& shared_context();

}  // namespace anycl::test
