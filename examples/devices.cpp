/// \file  Which devices there are, which a program takes, and why.
#include <anycl/anycl.hpp>

#include <cstdio>

int main() {
  const auto reasons = [](const anycl::DeviceRanking& ranking) {
    for (const auto& [device, reason] : ranking.chosen)
      std::printf("  take  %s: %s\n", device.name().c_str(), reason.c_str());
    for (const auto& [device, reason] : ranking.left_out)
      std::printf("  leave %s: %s\n", device.name().c_str(), reason.c_str());
  };

  // [readme:devices]
  using namespace anycl::selectors;
  using namespace anycl::literals;

  const anycl::Selector wanted = (kind(gpu) && memory_at_least(4_GiB)) || kind(cpu);
  anycl::Context context(wanted);  // best first; NoDevice says of each device what it does not meet
  if (const auto& facts = context.device(0).capabilities(); facts.fp64 && facts.sub_groups)
    std::puts("doubles and sub-groups");
  // [/readme]

  std::printf("of all devices %s takes\n", wanted.to_string().c_str());
  reasons(rank_devices(anycl::discover(), wanted));
}
