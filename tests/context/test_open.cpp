// Needs: a driver
#include "anycl/context/context.hpp"

#include <memory>
#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/interop/opencl.hpp"
#include "device/device_record.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/live_objects.hpp"

using namespace anycl;
using Catch::Matchers::Contains;

namespace {

/// A device that no driver knows.
Device made_up_device() {
  auto record = std::make_shared<detail::DeviceRecord>();
  record->name = "made-up device";
  return Device(record);
}

}  // namespace

TEST_CASE("a context holds the devices it was given, in their order", "[context][open]") {
  const auto& all = test::shared_context();
  std::vector<Device> reversed(all.devices().rbegin(), all.devices().rend());

  const Context context{reversed};

  REQUIRE(context.devices().size() == reversed.size());
  for (std::size_t i = 0; i < reversed.size(); ++i) {
    CHECK(context.device(i) == reversed[i]);
    CHECK_FALSE(context.reason(i).empty());
  }
}

TEST_CASE("a device index past the end is refused with the number of devices", "[context][open]") {
  const Context& context = test::shared_context();
  const auto past = context.devices().size();

  CHECK_THROWS_AS((void)context.device(past), InvalidArgument);
  CHECK_THROWS_WITH((void)context.device(past),
                    Contains("device " + std::to_string(past)) && Contains("there are " + std::to_string(past)));
  CHECK_THROWS_AS((void)context.reason(past), InvalidArgument);
  CHECK_THROWS_AS((void)context.device(static_cast<std::size_t>(-1)), InvalidArgument);
}

TEST_CASE("a context takes the devices that meet a condition", "[context][open]") {
  using namespace anycl::selectors;
  test::for_each_device([](test::Rig& rig) {
    const Context context(name(rig.device.name()) && platform(rig.device.platform_alias()));
    CHECK(context.device(0).name() == rig.device.name());
    CHECK_THROWS_AS(Context(name("no such device")), NoDevice);
  });
}

TEST_CASE("an empty list of devices is refused", "[context][open]") {
  CHECK_THROWS_AS(Context(std::vector<Device>{}), InvalidArgument);
}

TEST_CASE("a device named twice is refused by name", "[context][open]") {
  const Device device = test::shared_context().device(0);

  CHECK_THROWS_AS(Context(std::vector<Device>{device, device}), InvalidArgument);
  CHECK_THROWS_WITH(Context(std::vector<Device>{device, device}), Contains(device.name()) && Contains("twice"));
}

TEST_CASE("a queue on a device of another context is refused by name", "[context][open]") {
  Context& context = test::shared_context();

  CHECK_THROWS_AS(Queue(context, made_up_device()), InvalidArgument);
  CHECK_THROWS_WITH(Queue(context, made_up_device()), Contains("made-up device"));
}

TEST_CASE("opening a device builds nothing, allocates nothing and runs nothing [OCL-187]", "[context][open]") {
  test::for_each_device([](test::Rig& rig) {
    const test::LiveObjects live;
    Context context{std::vector<Device>{rig.device}};
    Queue queue(context, rig.device);
    REQUIRE(interop::native_queue(queue) != nullptr);  // really open: native objects are made on first use

    CHECK(test::LiveObjects::contexts == 1);
    CHECK(test::LiveObjects::programs == 0);
    CHECK(test::LiveObjects::buffer_calls == 0);
    CHECK(test::LiveObjects::events == 0);
  });
}

TEST_CASE("a context or queue that cannot be made names its platform or device, the call and the code [OCL-188]",
          "[context][open]") {
  test::for_each_device([](test::Rig& rig) {
    Context context{std::vector<Device>{rig.device}};
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clCreateContext = [](const cl_context_properties*, cl_uint, const cl_device_id*,
                                   void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*,
                                   cl_int* code) -> cl_context { return *code = CL_OUT_OF_HOST_MEMORY, nullptr; };
      });
      CHECK_THROWS_WITH(Queue(context, rig.device),
                        Contains(rig.device.platform_name()) && Contains("clCreateContext failed") && Contains("(-6)"));
    }
    {
      const test::Faults faults([](detail::EntryPoints& table) {
        table.clCreateCommandQueue = [](cl_context, cl_device_id, cl_command_queue_properties,
                                        cl_int* code) -> cl_command_queue {
          return *code = CL_OUT_OF_RESOURCES, nullptr;
        };
      });
      CHECK_THROWS_WITH(Queue(context, rig.device),
                        Contains(rig.device.name()) && Contains("clCreateCommandQueue failed") && Contains("(-5)"));
    }

    CHECK_NOTHROW(Queue(context, rig.device).finish());
  });
}

TEST_CASE("two contexts on one device live side by side [OCL-047]", "[context][open]") {
  const Device device = test::shared_context().device(0);
  Context first{std::vector<Device>{device}};
  Context second{std::vector<Device>{device}};

  Queue on_first(first, device);
  Queue on_second(second, device);
  first.close();

  CHECK_THROWS_AS(on_first.finish(), Cancelled);
  CHECK_NOTHROW(on_second.finish());
}

TEST_CASE("a moved context keeps its devices and queues", "[context][open]") {
  const Device device = test::shared_context().device(0);
  Context from{std::vector<Device>{device}};
  Queue queue(from, device);

  Context to = std::move(from);

  CHECK(to.device(0) == device);
  CHECK(queue.device() == device);
  CHECK_NOTHROW(queue.finish());
}
