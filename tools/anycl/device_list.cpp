#include "device_list.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/device/selection.hpp"

namespace anycl::command {

void require_device(const Discovery& discovery) { static_cast<void>(choose_devices(discovery)); }

std::vector<ListedDevice> list_devices(const Discovery& discovery) {
  DeviceRanking ranking = rank_devices(discovery);
  if (ranking.left_out.empty() && ranking.chosen.empty()) require_device(discovery);
  std::vector<ListedDevice> listed;
  for (auto& [device, reason] : ranking.chosen) listed.push_back({device, listed.size(), std::move(reason)});
  for (auto& [device, reason] : ranking.left_out) listed.push_back({device, std::nullopt, std::move(reason)});
  return listed;
}

std::string missing_facts(const Capabilities& facts) {
  std::vector<std::string_view> missing;
  if (!facts.opencl) missing.emplace_back("its version");
  if (facts.compute_units == 0) missing.emplace_back("its compute units");
  if (facts.global_memory_bytes == 0) missing.emplace_back("its memory");
  return fmt::format("{}", fmt::join(missing, ", "));
}

std::vector<std::string> cautions(const Device& device) {
  std::vector<std::string> lines;
  const Capabilities& facts = device.capabilities();
  if (const auto missing = missing_facts(facts); !missing.empty()) lines.push_back("does not tell " + missing);
  if (facts.max_loop_iterations)
    lines.push_back(
        fmt::format("loops of a work-item end after {} iterations, without an error", *facts.max_loop_iterations));
  if (!facts.timestamps_trusted) lines.emplace_back("its time stamps cannot be right; host time is used");
  if (!facts.has_compiler) lines.emplace_back("has no compiler: kernels cannot be built for it");
  return lines;
}

Json device_name(const Device& device) {
  return {{"driver", device.platform_alias()}, {"name", device.name()}, {"kind", to_string(device.kind())}};
}

std::string title(const Device& device) {
  return fmt::format("{} '{}' ({})", device.platform_alias(), device.name(), to_string(device.kind()));
}

}  // namespace anycl::command
