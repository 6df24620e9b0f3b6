// The pretended devices, as the library sees them.
// Needs: no driver
#include <algorithm>
#include <set>
#include <string>

#include "anycl/anycl.hpp"
#include "anycl/device/selection.hpp"
#include "stub_icd/driver/device_model.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/stub.hpp"

using namespace anycl;

namespace {

/// A machine with every model, and a second card of one.
std::string all_models() {
  std::string keys = "devices=nvidia-gtx-1060";
  for (const stub::DeviceModel& model : stub::device_models()) keys += "," + std::string(model.key);
  return keys;
}

void passes_with(const std::string& tag, const std::string& settings) {
  test::StubFolder folder;
  folder.add("stub", settings);
  auto variables = folder.variables();
  variables.emplace_back("ANYCL_DEVICES");
  const auto result = test::run_hidden_test(tag, variables);
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

}  // namespace

TEST_CASE("models discovered", "[.][stub_models_discovered]") {
  const Discovery discovery = discover();

  REQUIRE(discovery.platforms.size() == 5);
  std::set<std::string> ids, aliases;
  for (const Platform& platform : discovery.platforms) aliases.insert(platform.alias);
  CHECK(aliases == std::set<std::string>{"amd", "intel", "nvidia", "stub"});
  REQUIRE(discovery.devices().size() == stub::device_models().size() + 1);
  for (const Device& device : discovery.devices()) {
    const auto models = stub::device_models();
    const auto model = std::find_if(models.begin(), models.end(), [&](const stub::DeviceModel& candidate) {
      return candidate.name == device.name();
    });
    CAPTURE(device.name());
    REQUIRE(model != models.end());
    CHECK(device.vendor() == model->vendor);
    CHECK(device.driver_version() == model->driver_version);
    CHECK(device.capabilities().compute_units == model->compute_units);
    CHECK(device.capabilities().global_memory_bytes == model->global_mib << 20);
    CHECK(device.capabilities().max_group_size == model->max_group_size);
    CHECK(device.capabilities().max_item_sizes == model->max_item_sizes);
    CHECK(ids.insert(device.id()).second);
    if (model->type == CL_DEVICE_TYPE_CPU)
      CHECK(device.kind() == DeviceKind::cpu);
    else
      CHECK(device.kind() == (model->unified_memory ? DeviceKind::integrated_gpu : DeviceKind::discrete_gpu));
  }
}

TEST_CASE("every model is discovered as what it pretends to be", "[stub_icd][models]") {
  passes_with("[stub_models_discovered]", all_models());
}

TEST_CASE("models ranked", "[.][stub_models_ranked]") {
  const auto ranking = rank_devices(discover());

  std::vector<std::string> names;
  for (const ChosenDevice& chosen : ranking.chosen) names.push_back(chosen.device.name());
  CHECK(names == std::vector<std::string>{"NVIDIA GeForce RTX 3090", "NVIDIA GeForce GTX 1060 6GB",
                                          "Intel(R) UHD Graphics 770", "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz"});
}

TEST_CASE("cards stand before integrated ones, those before processors, faster ones first", "[stub_icd][models]") {
  passes_with("[stub_models_ranked]", "devices=intel-xeon,nvidia-gtx-1060,intel-uhd-770,nvidia-rtx-3090");
}

TEST_CASE("models used", "[.][stub_models_used]") {
  for (const Device& device : discover().devices()) {
    Context context{std::vector<Device>{device}};
    Queue queue(context, device);
    Buffer<int> x(context, std::vector<int>(100));

    launch(queue, Kernel(context, "kernel void add(global int* x) { x[get_global_id(0)] += 1; }", "add"), 100, x);

    CAPTURE(device.name());
    CHECK(to_host(x) == std::vector<int>(100, 1));
  }
}

TEST_CASE("every model runs a kernel", "[stub_icd][models]") { passes_with("[stub_models_used]", all_models()); }
