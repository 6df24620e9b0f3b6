#include "support/devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "support/catch.hpp"
#include "support/run_end.hpp"

namespace anycl::test {
namespace {

/// The platform that must be there; empty when any will do.
std::string wanted_platform() {
  const char* alias = std::getenv("ANYCL_TEST_PLATFORM");
  return alias == nullptr ? "" : alias;
}

/// All devices, not just the best of each piece of silicon, and whatever ANYCL_DEVICES says.
std::vector<Device> devices_to_test() {
  std::vector<Device> devices = discover().devices();
  std::erase_if(devices, [](const Device& device) {
    return !device.capabilities().available || !device.capabilities().has_compiler;
  });
  const std::string wanted = wanted_platform();
  const bool found =
      wanted.empty() ? !devices.empty() : std::any_of(devices.begin(), devices.end(), [&](const Device& device) {
        return device.platform_alias() == wanted;
      });
  if (!found) FAIL("no usable device of " << (wanted.empty() ? "any driver" : "platform " + wanted));
  return devices;
}

}  // namespace

Context& shared_context() {
  static std::optional<Context> context;
  if (!context) {
    context.emplace(devices_to_test());
    at_run_end([] { context.reset(); });  // a static destructor would leave its objects to the system
  }
  return *context;
}

void for_each_device(const std::function<void(Rig&)>& body) {
  Context& context = shared_context();
  for (const Device& device : context.devices()) {
    INFO("on " << device.platform_alias() << " '" << device.name() << "'");
    Queue queue(context, device);
    Rig rig{context, queue, device};
    body(rig);
  }
}

}  // namespace anycl::test
