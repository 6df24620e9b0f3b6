#include "support/devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/catch.hpp"

namespace anycl::test {
namespace {

/// The driver that must be there; empty when any will do.
std::string wanted_driver() {
  const char* name = std::getenv("ANYCL_TEST_DRIVER");
  return name == nullptr || std::string(name) == "all" ? "" : name;
}

/// All devices, not just the best of each piece of silicon, and whatever ANYCL_DEVICES says.
std::vector<Device> devices_to_test() {
  std::vector<Device> devices = discover().devices();
  std::erase_if(devices, [](const Device& device) {
    return !device.capabilities().available || !device.capabilities().has_compiler;
  });
  const std::string wanted = wanted_driver();
  const bool found =
      wanted.empty() ? !devices.empty() : std::any_of(devices.begin(), devices.end(), [&](const Device& device) {
        return device.platform_alias() == wanted;
      });
  if (!found) FAIL("no usable device of " << (wanted.empty() ? "any driver" : "driver " + wanted));
  return devices;
}

}  // namespace

Context& shared_context() {
  static Context context{devices_to_test()};
  return context;
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
