#include "doctor/hardware.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/selection_terms.hpp"
#include "doctor/cards.hpp"
#include "doctor/driver_files.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

bool is_gpu_of(const Json& facts, const CardMaker& maker) {
  return facts.value("kind", "").ends_with("gpu") && facts["vendor_id"] == Json(maker.vendor);
}

/// Which driver answers for which card. A device whose driver does not tell where it is plugged in stands for any card of
/// its maker, and first for one that another driver has too.
class Answers {
 public:
  Answers(const std::vector<Card>& cards, const std::vector<DriverReport>& drivers) : cards_(cards) {
    std::vector<std::vector<const CardMaker*>> unplaced(drivers.size());
    for (std::size_t i = 0; i < drivers.size(); ++i) unplaced[i] = take_placed(drivers[i]);
    for (std::size_t i = 0; i < drivers.size(); ++i)
      for (const CardMaker* maker : unplaced[i]) take_any(*maker, drivers[i]);
  }

  /// Null: none.
  [[nodiscard]] const DriverReport* driver_of(const Card& card) const {
    const auto found = drivers_of_.find(card.place);
    return found != drivers_of_.end() ? found->second.front() : nullptr;
  }

  /// One that answers for another card of this maker; null: none.
  [[nodiscard]] const DriverReport* driver_of_sister(const CardMaker& maker) const {
    for (const Card& card : cards_)
      if (card.maker == &maker && driver_of(card) != nullptr) return driver_of(card);
    return nullptr;
  }

 private:
  /// The makers of the devices that are at no card's place.
  std::vector<const CardMaker*> take_placed(const DriverReport& driver) {
    std::vector<const CardMaker*> others;
    for (const DeviceReport& device : driver.devices) {
      const Json place = device.facts.value("pci_place", Json(nullptr));
      const auto at_place = [&](const Card& card) {
        return is_gpu_of(device.facts, *card.maker) && place == Json(card.place);
      };
      const auto of_maker = [&](const Card& card) { return is_gpu_of(device.facts, *card.maker); };
      if (const auto card = std::find_if(cards_.begin(), cards_.end(), at_place); card != cards_.end())
        drivers_of_[card->place].push_back(&driver);
      else if (const auto any = std::find_if(cards_.begin(), cards_.end(), of_maker); any != cards_.end())
        others.push_back(any->maker);
    }
    return others;
  }

  void take_any(const CardMaker& maker, const DriverReport& driver) {
    const Card* best = nullptr;
    for (const Card& card : cards_) {
      if (card.maker != &maker || has(card, driver)) continue;
      if (best == nullptr || (driver_of(*best) == nullptr && driver_of(card) != nullptr)) best = &card;
    }
    if (best != nullptr) drivers_of_[best->place].push_back(&driver);
  }

  bool has(const Card& card, const DriverReport& driver) const {
    const auto found = drivers_of_.find(card.place);
    return found != drivers_of_.end() &&
           std::find(found->second.begin(), found->second.end(), &driver) != found->second.end();
  }

  const std::vector<Card>& cards_;
  std::map<std::string, std::vector<const DriverReport*>> drivers_of_;  // by place
};

/// The maker's own, which answers for none of its cards; null: none.
const DriverReport* installed_driver(const CardMaker& maker, const std::vector<DriverReport>& drivers) {
  for (const DriverReport& driver : drivers)
    for (const std::string_view pattern : maker.libraries)
      if (is_called(driver, std::string(pattern))) return &driver;
  return nullptr;
}

bool has_nodes(const std::string& root, const CardMaker& maker) {
  std::error_code failed;
  fs::directory_iterator entry(fs::path(root) / maker.node_folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
    if (detail::glob_matches(maker.node_pattern, entry->path().filename().string())) return true;
  return false;
}

Finding warn_of(const Card& card, std::string_view what, std::string advice) {
  return {"card", Status::warn, fmt::format("{} {}", card.name(), what), std::move(advice)};
}

Finding without_module(const Card& card, bool installed) {
  if (card.module == "vfio-pci")
    return warn_of(card, "is set aside for a virtual machine (vfio-pci)", "take it back from there to compute here");
  const std::string wanted = fmt::format("{}", fmt::join(card.maker->modules, " or "));
  const std::string what =
      card.module.empty() ? fmt::format("has no OpenCL driver that answers: its kernel module {} is not loaded", wanted)
                          : fmt::format("has no OpenCL driver that answers: the kernel drives it by {}, not by {}",
                                        card.module, wanted);
  const std::string load = fmt::format(
      "load the module (sudo modprobe {}), or reboot if it was installed since the last start; dmesg says why "
      "it refuses",
      card.maker->modules.front());
  return warn_of(card, what, installed ? load : fmt::format("{}; then {}", card.maker->package, load));
}

Finding unanswered(const Card& card, const Answers& answers, const std::string& root,
                   const std::vector<DriverReport>& drivers) {
  const DriverReport* sister = answers.driver_of_sister(*card.maker);
  const DriverReport* installed = sister != nullptr ? sister : installed_driver(*card.maker, drivers);
  if (!card.has_module()) return without_module(card, installed != nullptr);
  if (sister != nullptr)
    return warn_of(card, fmt::format("is not seen: driver {} answers for another card alone", sister->name),
                   "see the variables and device nodes above, which may hide it, and dmesg, which tells of faults");
  if (installed == nullptr)
    return warn_of(card, "has no OpenCL driver that answers: none of its maker is installed",
                   std::string(card.maker->package));
  if (!has_nodes(root, *card.maker))
    return warn_of(card,
                   fmt::format("has no device node (/{}/{}), which driver {} needs", card.maker->node_folder,
                               card.maker->node_pattern, installed->name),
                   fmt::format("{}; to a container, give the device", card.maker->node_advice));
  return warn_of(card, fmt::format("is not seen by driver {}, which is installed", installed->name),
                 "reboot if the driver or the kernel was updated since the last start: both must be of one version; "
                 "else see the device nodes and this driver above");
}

Finding look_at(const Card& card, const Answers& answers, const std::string& root,
                const std::vector<DriverReport>& drivers) {
  const DriverReport* driver = answers.driver_of(card);
  if (driver == nullptr) return unanswered(card, answers, root, drivers);
  return {"card", Status::ok, fmt::format("{}: driver {}", card.name(), driver->name)};
}

bool have_no_device(const std::vector<DriverReport>& drivers) {
  return std::all_of(drivers.begin(), drivers.end(), [](const DriverReport& driver) { return driver.devices.empty(); });
}

std::string advice_without_device(const std::vector<Card>& cards) {
  const std::string processor = "for the processor, install pocl-opencl-icd";
  return cards.empty() ? processor : fmt::format("for the cards, do as told above; {}", processor);
}

}  // namespace

Findings hardware(const std::string& root, const std::vector<DriverReport>& drivers) {
  const std::vector<Card> cards = cards_below(root);
  const Answers answers(cards, drivers);
  Findings findings;
  for (const Card& card : cards) findings.push_back(look_at(card, answers, root, drivers));
  if (have_no_device(drivers))
    findings.push_back({"devices", Status::fail,
                        "no OpenCL device can be used; programs get error -1001 (no platform) or -1 (no device)",
                        advice_without_device(cards)});
  return findings;
}

}  // namespace anycl::command
