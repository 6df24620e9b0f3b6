#include "anycl/device/selection.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "base/environment.hpp"
#include "base/quote.hpp"
#include "device/condition.hpp"
#include "device/device_record.hpp"
#include "device/icd_files.hpp"
#include "device/ranking.hpp"
#include "device/selection_terms.hpp"
#include "device/throughput.hpp"

namespace anycl {
namespace {

using namespace detail;

void leave_out(DeviceRanking& ranking, const Device& device, std::string reason) {
  ranking.left_out.push_back({device, std::move(reason)});
}

/// Two drivers may give their platforms one name.
std::size_t platform_count(const std::vector<Device>& devices) {
  std::set<cl_platform_id> platforms;
  for (const auto& device : devices) platforms.insert(device.record().platform);
  return platforms.size();
}

/// Those of `devices` that `term` names, in the order they have; the one at its index if it has one.
std::vector<Device> matches_of(const Term& term, const std::vector<Device>& devices, std::string_view origin) {
  std::vector<Device> found;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(found),
               [&](const Device& device) { return term.matches_but_index(device); });
  if (!term.index) return found;
  const bool bare = term.platform.empty() && term.kind == nullptr;
  if (bare && platform_count(devices) > 1) refuse_term(origin, term.text, "is ambiguous with several platforms");
  if (*term.index >= found.size()) return {};
  return {found[*term.index]};
}

bool contains(const std::vector<Device>& devices, const Device& device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool contains(const std::vector<ChosenDevice>& chosen, const Device& device) {
  return std::any_of(chosen.begin(), chosen.end(), [&](const ChosenDevice& c) { return c.device == device; });
}

/// Drops devices that `!` terms name. Indices count within `visible`, however much other terms take away.
std::vector<Device> without_excluded(const std::vector<Term>& terms, const std::vector<Device>& visible,
                                     std::string_view origin, DeviceRanking& ranking) {
  std::vector<Device> kept = visible;
  for (const Term& term : terms) {
    if (!term.excludes) continue;
    for (const Device& out : matches_of(term, visible, origin))
      if (std::erase(kept, out) != 0)
        leave_out(ranking, out, fmt::format("left out by {} {}", origin, quote(term.text)));
  }
  return kept;
}

std::string text_of(const std::vector<Term>& terms) {
  std::string text;
  for (const Term& term : terms) text += (text.empty() ? "" : ",") + term.text;
  return text;
}

/// Those of `kept` that a term names; as in without_excluded(), indices count within `visible`.
void choose_named(const std::vector<Term>& terms, const std::vector<Device>& visible, const std::vector<Device>& kept,
                  std::string_view origin, DeviceRanking& ranking) {
  for (const Term& term : terms) {
    if (term.excludes) continue;
    for (const Device& device : matches_of(term, visible, origin))
      if (contains(kept, device) && !contains(ranking.chosen, device))
        ranking.chosen.push_back({device, fmt::format("named by {} {}", origin, quote(term.text))});
  }
  for (const Device& device : kept)
    if (!contains(ranking.chosen, device))
      leave_out(ranking, device, fmt::format("not named by {} {}", origin, quote(text_of(terms))));
}

std::string speed_of(const Device& device) {
  const double gflops = estimated_gflops(device);
  if (gflops <= 0) return {};
  return gflops < 1000 ? fmt::format(", about {:.0f} GFLOP/s", gflops)
                       : fmt::format(", about {:.1f} TFLOP/s", gflops / 1000);
}

/// Drops what the default never takes; `selector` may ask for an emulator, and for parts of devices by name.
void leave_out_unfit(std::vector<Device>& devices, const Condition* selector, DeviceRanking& ranking) {
  std::erase_if(devices, [&](const Device& device) {
    const bool asked_for = selector != nullptr && selector->naming(device) >= Naming::kind;
    const bool named = selector != nullptr && selector->naming(device) == Naming::driver;
    std::string reason;
    if (device.kind() == DeviceKind::emulator && !asked_for) reason = "an emulator is used only when named";
    if (device.parent() && !named) reason = "a sub-device is used only when named";
    if (const std::string& fault = device.record().compiler_fault; !fault.empty() && !named)
      reason = "its compiler does not work: " + fault;
    if (!device.capabilities().has_compiler) reason = "has no compiler";
    if (!reason.empty()) leave_out(ranking, device, reason);
    return !reason.empty();
  });
}

/// Why `device` is left for `taken`, the same silicon under another driver.
std::string reason_for_double(const Device& device, const Device& taken) {
  const std::string_view what = device.kind() == DeviceKind::cpu ? "processor" : "card";
  if (device.platform_alias() == taken.platform_alias())
    return fmt::format("same {} as under {} {}", what, taken.platform_alias(), taken.driver_version());
  return fmt::format("same {} as {} under {} driver; name it to use it", what, taken.platform_alias(),
                     driver_rank(device) == driver_rank(taken) ? "another" : "a slower");
}

/// Drops devices that a better driver offers too, unless `selector` names them. Two devices of one platform are never one:
/// a driver may show parts of a card or processor as devices.
void leave_out_doubles(std::vector<Device>& devices, const Condition* selector, DeviceRanking& ranking) {
  const SiliconMap map(devices);
  std::map<std::string, Device> best;
  for (const Device& device : devices) {
    const auto [known, fresh] = best.try_emplace(map.silicon_of(device), device);
    if (!fresh && driver_rank(device) < driver_rank(known->second)) known->second = device;
  }
  std::erase_if(devices, [&](const Device& device) {
    const Device& taken = best.at(map.silicon_of(device));
    if (taken.record().platform == device.record().platform) return false;
    if (selector != nullptr && selector->naming(device) == Naming::driver) return false;
    leave_out(ranking, device, reason_for_double(device, taken));
    return true;
  });
}

/// The default choice of `devices`, which are in order; `selector` is null or what they all meet.
void choose_default(std::vector<Device> devices, const Condition* selector, DeviceRanking& ranking) {
  const std::size_t found = devices.size();
  leave_out_unfit(devices, selector, ranking);
  leave_out_doubles(devices, selector, ranking);
  for (const Device& device : devices)
    ranking.chosen.push_back({device, fmt::format("{} {} of {} found{}", ranking.chosen.empty() ? "best" : "next",
                                                  to_string(device.kind()), found, speed_of(device))});
}

/// Best first.
std::vector<Device> usable(const Discovery& discovery, DeviceRanking& ranking) {
  std::vector<Device> devices = discovery.devices();
  std::erase_if(devices, [&](const Device& device) {
    const bool out = !device.capabilities().available;
    if (out) leave_out(ranking, device, "the driver says it is not available");
    return out;
  });
  std::stable_sort(devices.begin(), devices.end(), ranks_before);
  return devices;
}

std::vector<Device> devices_of(const std::vector<ChosenDevice>& chosen) {
  std::vector<Device> devices;
  for (const auto& entry : chosen) devices.push_back(entry.device);
  return devices;
}

bool names_devices(const std::vector<Term>& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return !term.excludes; });
}

/// One selection over `visible`; an empty one keeps all that the default takes.
std::vector<Device> narrow(std::string_view selection, std::vector<Device> visible, std::string_view origin,
                           DeviceRanking& ranking, bool& named) {
  if (selection.empty()) return visible;
  const auto terms = parse_terms(selection, origin);
  std::vector<Device> kept = without_excluded(terms, visible, origin, ranking);
  // What the mask named and a '!' here takes away:
  std::erase_if(ranking.chosen, [&](const ChosenDevice& chosen) { return !contains(kept, chosen.device); });
  if (!names_devices(terms)) return kept;
  named = true;
  ranking.chosen.clear();
  choose_named(terms, visible, kept, origin, ranking);
  return devices_of(ranking.chosen);
}

[[noreturn]] void throw_none(const Discovery& discovery, const DeviceRanking& ranking) {
  if (discovery.platforms.empty()) throw NoDevice(fmt::format("no OpenCL platform: {}", describe_icd_files()));
  if (ranking.left_out.empty())
    throw NoDevice(fmt::format("no OpenCL device: {}", fmt::join(discovery.warnings, "; ")));
  std::vector<std::string> lines;
  for (const auto& [device, reason] : ranking.left_out)
    lines.push_back(fmt::format("{} '{}' ({})", device.platform_alias(), device.name(), reason));
  throw NoDevice(fmt::format("no device left to use: {}", fmt::join(lines, "; ")));
}

std::vector<ChosenDevice> at_least_one(const Discovery& discovery, DeviceRanking ranking) {
  if (ranking.chosen.empty()) throw_none(discovery, ranking);
  return std::move(ranking.chosen);
}

/// What ANYCL_DEVICES leaves; `named` when it names devices, which are then the chosen ones.
std::vector<Device> visible(const Discovery& discovery, DeviceRanking& ranking, bool& named) {
  const std::string mask = environment("ANYCL_DEVICES").value_or("");
  return narrow(mask, usable(discovery, ranking), "ANYCL_DEVICES", ranking, named);
}

}  // namespace

DeviceRanking rank_devices(const Discovery& discovery, std::string_view selection) {
  DeviceRanking ranking;
  bool named = false;
  std::vector<Device> devices = visible(discovery, ranking, named);
  devices = narrow(selection, std::move(devices), "selection", ranking, named);
  if (!named) choose_default(std::move(devices), nullptr, ranking);
  return ranking;
}

DeviceRanking rank_devices(const Discovery& discovery, const Selector& selector) {
  DeviceRanking ranking;
  bool named = false;
  std::vector<Device> devices = visible(discovery, ranking, named);
  const Condition& condition = *selector.condition();
  std::erase_if(devices, [&](const Device& device) {
    const auto reason = condition.unmet_by(device);
    if (reason) leave_out(ranking, device, *reason);
    return reason.has_value();
  });
  std::erase_if(ranking.chosen, [&](const ChosenDevice& chosen) { return !contains(devices, chosen.device); });
  if (!named) choose_default(std::move(devices), &condition, ranking);
  return ranking;
}

std::vector<ChosenDevice> choose_devices(const Discovery& discovery, std::string_view selection) {
  return at_least_one(discovery, rank_devices(discovery, selection));
}

std::vector<ChosenDevice> choose_devices(const Discovery& discovery, const Selector& selector) {
  return at_least_one(discovery, rank_devices(discovery, selector));
}

}  // namespace anycl
