// What devices have told of themselves is asked for once in a process.
// Needs: a driver with layers
#include <vector>

#include "anycl/device/device.hpp"
#include "device/device_record.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/faults.hpp"
#include "support/layer.hpp"
#include "support/variable.hpp"

using namespace anycl;

namespace {

std::vector<const detail::DeviceRecord*> records() {
  std::vector<const detail::DeviceRecord*> found;
  for (const Device& device : discover().devices()) found.push_back(&device.record());
  return found;
}

std::uint64_t local_memory() { return discover().devices().at(0).capabilities().local_memory_bytes; }

}  // namespace

TEST_CASE("a second look at a device asks it nothing new", "[device][known_devices]") {
  const auto first = records();
  REQUIRE_FALSE(first.empty());

  CHECK(records() == first);
}

TEST_CASE("a change of ANYCL_QUIRKS is seen by the next look", "[device][known_devices]") {
  const auto limit = [] { return discover().devices().at(0).capabilities().max_loop_iterations; };
  const auto before = limit();
  {
    const test::Variable quirks("ANYCL_QUIRKS", "max_loop_iterations=77");
    CHECK(limit() == 77u);
  }
  CHECK(limit() == before);
}

TEST_CASE("nothing is remembered under a layer, whose answers change", "[device][known_devices]") {
  const auto child = test::run_hidden_test("[child_answers_change]", test::under_layer(""));
  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("child: answers that change under a layer are seen", "[.][child_answers_change]") {
  REQUIRE(test::layer_is_up());
  const auto told = local_memory();
  {
    const test::LayerRules rules("answer CL_DEVICE_LOCAL_MEM_SIZE number=1234; answer CL_DEVICE_AVAILABLE number=0");
    CHECK(local_memory() == 1234);
    CHECK_FALSE(discover().devices().at(0).capabilities().available);
  }
  CHECK(local_memory() == told);
}

TEST_CASE("a table that stands in for the loader's is asked each time", "[device][known_devices]") {
  const auto before = records();
  {
    const test::Faults nothing([](detail::EntryPoints&) {});
    CHECK(records() != before);
  }
  CHECK(records() == before);
}
