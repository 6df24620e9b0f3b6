// Which devices share a native context, on machines of many cards.
// Needs: no driver
#include <CL/cl.h>

#include <set>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "anycl/interop/opencl.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"
#include "support/stub.hpp"

using namespace anycl;

namespace {

constexpr const char* kCards = "devices=nvidia-rtx-3090,nvidia-gtx-1060,nvidia-gtx-1060,amd-rx-7900-xtx,amd-vega-8";

test::ChildResult run_on_cards(const std::string& tag, const std::vector<std::string>& more = {}) {
  test::StubFolder folder;
  folder.add("stub", kCards);
  auto variables = folder.variables();
  variables.emplace_back("ANYCL_DEVICES");
  for (const std::string& rules : test::under_layer("handles; late")) variables.push_back(rules);
  variables.insert(variables.end(), more.begin(), more.end());
  return test::run_hidden_test(tag, variables);
}

/// How many native contexts serve the devices of `driver`.
std::size_t contexts_of(Context& context, const std::string& driver) {
  std::set<cl_context> found;
  for (const Device& device : context.devices())
    if (device.platform_alias() == driver) found.insert(interop::native_context(context, device));
  return found.size();
}

}  // namespace

TEST_CASE("one native context for each NVIDIA card", "[.][cards_apart]") {
  REQUIRE(test::layer_is_up());
  Context context(discover().devices());
  REQUIRE(context.devices().size() == 5);

  CHECK(contexts_of(context, "nvidia") == 3);
  CHECK(contexts_of(context, "amd") == 1);
  CHECK(test::layer_report().contexts == 4);
}

TEST_CASE("one native context for all NVIDIA cards", "[.][cards_together]") {
  Context context(discover().devices());

  CHECK(contexts_of(context, "nvidia") == 1);
  CHECK(contexts_of(context, "amd") == 1);
}

TEST_CASE("a buffer goes from card to card", "[.][cards_share_buffers]") {
  Context context(discover().devices());
  Buffer<int> x(context, std::vector<int>(1000));
  const Kernel add(context, "kernel void add(global int* x) { x[get_global_id(0)] += 1; }", "add");

  for (int round = 0; round < 3; ++round)
    for (const Device& device : context.devices()) {
      Queue queue(context, device);
      launch(queue, add, x.size(), x);
    }

  CHECK(to_host(x) == std::vector<int>(1000, 15));
}

TEST_CASE("cards that lock each other out in one context get one each", "[context][native_contexts]") {
  const auto result = run_on_cards("[cards_apart]");
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a user who knows better has cards share a context", "[context][native_contexts]") {
  const auto result = run_on_cards("[cards_together]", {"ANYCL_QUIRKS=!nvidia_shared_context"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("buffers are the same on all cards, whatever contexts these are in", "[context][native_contexts]") {
  const auto* const quirks = GENERATE("ANYCL_QUIRKS", "ANYCL_QUIRKS=!nvidia_shared_context");
  const auto result = run_on_cards("[cards_share_buffers]", {quirks});
  INFO(result.output);
  CHECK(result.exit_code == 0);
}
