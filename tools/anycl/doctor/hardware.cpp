#include "doctor/hardware.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

struct Maker {
  std::string_view vendor;  ///< as sysfs and our reports write it
  std::string_view name;
  std::string_view advice;
};

// Debian's packages. Display controllers of others (virtual ones, of servers) do not compute.
constexpr Maker kMakers[] = {
    {"0x10de", "NVIDIA", "install nvidia-opencl-icd (section non-free)"},
    {"0x1002", "AMD",
     "install mesa-opencl-icd and set RUSTICL_ENABLE=radeonsi, or install AMD's ROCm (rocm-opencl-icd)"},
    {"0x8086", "Intel", "install intel-opencl-icd"},
};

struct Card {
  const Maker* maker;
  std::string ids;    ///< "10de:2204"
  std::string place;  ///< "0000:01:00.0"
};

std::string line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

const Maker* maker_of(const std::string& vendor) {
  const auto* const found =
      std::find_if(std::begin(kMakers), std::end(kMakers), [&](const Maker& maker) { return maker.vendor == vendor; });
  return found != std::end(kMakers) ? found : nullptr;
}

std::string without_prefix(const std::string& id) { return id.starts_with("0x") ? id.substr(2) : id; }

std::vector<Card> cards_below(const fs::path& root) {
  constexpr std::string_view kDisplayController = "0x03";
  std::vector<Card> cards;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/pci/devices", ignored)) {
    const std::string vendor = line_of(entry.path() / "vendor");
    const Maker* maker = maker_of(vendor);
    if (maker == nullptr || !line_of(entry.path() / "class").starts_with(kDisplayController)) continue;
    const std::string ids = without_prefix(vendor) + ":" + without_prefix(line_of(entry.path() / "device"));
    cards.push_back({maker, ids, entry.path().filename().string()});
  }
  std::sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) { return a.place < b.place; });
  return cards;
}

bool is_gpu_of(const Json& facts, const Maker& maker) {
  return facts.value("kind", "").ends_with("gpu") && facts["vendor_id"] == Json(maker.vendor);
}

/// The driver that has a GPU of this maker; null: none.
const DriverReport* driver_for(const Maker& maker, const std::vector<DriverReport>& drivers) {
  for (const DriverReport& driver : drivers)
    for (const DeviceReport& device : driver.devices)
      if (is_gpu_of(device.facts, maker)) return &driver;
  return nullptr;
}

Finding look_at(const Card& card, const std::vector<DriverReport>& drivers) {
  const std::string name = fmt::format("{} card {} at {}", card.maker->name, card.ids, card.place);
  if (const DriverReport* driver = driver_for(*card.maker, drivers); driver != nullptr)
    return {"card", Status::ok, fmt::format("{}: driver {}", name, driver->name)};
  return {"card", Status::warn, name + " has no OpenCL driver that answers", std::string(card.maker->advice)};
}

bool have_no_device(const std::vector<DriverReport>& drivers) {
  return std::all_of(drivers.begin(), drivers.end(), [](const DriverReport& driver) { return driver.devices.empty(); });
}

}  // namespace

Findings hardware(const std::string& root, const std::vector<DriverReport>& drivers) {
  Findings findings;
  for (const Card& card : cards_below(root)) findings.push_back(look_at(card, drivers));
  if (have_no_device(drivers))
    findings.push_back(
        {"devices", Status::fail, "no OpenCL device can be used", "for the processor, install pocl-opencl-icd"});
  return findings;
}

}  // namespace anycl::command
