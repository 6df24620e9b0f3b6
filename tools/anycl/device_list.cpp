#include "device_list.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/device/selection.hpp"

namespace anycl::command {
namespace {

/// The machine as it would be with no device but this one.
Discovery only(const Device& device) {
  Platform platform;
  platform.name = device.platform_name();
  platform.version = device.platform_version();
  platform.alias = device.platform_alias();
  platform.devices = {device};
  Discovery discovery;
  discovery.platforms = {std::move(platform)};
  return discovery;
}

/// The reason inside the library's "no device left to use: pocl 'name' (reason)"; all of it should the words change.
std::string reason_in(std::string_view message, const Device& device) {
  const std::string opening = fmt::format("{} '{}' (", device.platform_alias(), device.name());
  const auto found = message.find(opening);
  if (found == std::string_view::npos || !message.ends_with(')')) return std::string(message);
  message.remove_prefix(found + opening.size());
  message.remove_suffix(1);
  return std::string(message);
}

/// Alone, the device is either refused for a reason of its own, or taken: then another one was preferred to it.
std::string why_left_out(const Device& device) {
  try {
    static_cast<void>(choose_devices(only(device)));
  } catch (const NoDevice& refusal) {
    return reason_in(refusal.what(), device);
  }
  return device.kind() == DeviceKind::cpu ? "another driver is preferred for this processor; name it to use it"
                                          : "another device is preferred; name it to use it";
}

}  // namespace

std::vector<ListedDevice> list_devices(const Discovery& discovery) {
  std::vector<ListedDevice> listed;
  for (auto& chosen : choose_devices(discovery))
    listed.push_back({std::move(chosen.device), listed.size(), std::move(chosen.reason)});
  for (const Device& device : discovery.devices()) {
    const bool is_listed =
        std::any_of(listed.begin(), listed.end(), [&](const ListedDevice& entry) { return entry.device == device; });
    if (!is_listed) listed.push_back({device, std::nullopt, why_left_out(device)});
  }
  return listed;
}

std::vector<std::string> cautions(const Device& device) {
  std::vector<std::string> lines;
  const Capabilities& facts = device.capabilities();
  if (facts.max_loop_iterations)
    lines.push_back(
        fmt::format("loops of a work-item end after {} iterations, without an error", *facts.max_loop_iterations));
  if (!facts.timestamps_trusted) lines.emplace_back("its time stamps cannot be right; host time is used");
  if (!facts.has_compiler) lines.emplace_back("has no compiler: kernels cannot be built for it");
  return lines;
}

std::string title(const Device& device) {
  return fmt::format("{} '{}' ({})", device.platform_alias(), device.name(), to_string(device.kind()));
}

}  // namespace anycl::command
