#include "doctor/cards.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "base/os_regular_file.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNvidiaModules[] = {"nvidia"};
constexpr std::string_view kAmdModules[] = {"amdgpu"};
constexpr std::string_view kIntelModules[] = {"i915", "xe"};
constexpr std::string_view kNvidiaLibraries[] = {"*nvidia-opencl*"};
constexpr std::string_view kAmdLibraries[] = {"*amdocl*"};
constexpr std::string_view kIntelLibraries[] = {"*igdrcl*"};

// Debian's packages. Display controllers of others (virtual ones, of servers) do not compute.
constexpr CardMaker kMakers[] = {
    {"0x10de", "NVIDIA", "install nvidia-opencl-icd (section non-free)", kNvidiaModules, kNvidiaLibraries, "dev",
     "nvidia?", "nvidia-modprobe -c 0 -u makes them"},
    {"0x1002", "AMD",
     "install mesa-opencl-icd and set RUSTICL_ENABLE=radeonsi, or install AMD's ROCm (rocm-opencl-icd)", kAmdModules,
     kAmdLibraries, "dev/dri", "renderD*", "the kernel makes them as it takes the card: see dmesg"},
    {"0x8086", "Intel", "install intel-opencl-icd", kIntelModules, kIntelLibraries, "dev/dri", "renderD*",
     "the kernel makes them as it takes the card: see dmesg"},
};

std::string line_of(const fs::path& file) {
  constexpr std::size_t kLongest = 4096;
  const std::string text = os::read_regular_file(file, kLongest).text;
  return text.substr(0, text.find('\n'));
}

const CardMaker* maker_of(const std::string& vendor) {
  const auto* const found = std::find_if(std::begin(kMakers), std::end(kMakers),
                                         [&](const CardMaker& maker) { return maker.vendor == vendor; });
  return found != std::end(kMakers) ? found : nullptr;
}

/// AMD's cards without a display call themselves processing accelerators. With Intel that is no GPU.
bool computes(const CardMaker& maker, const std::string& pci_class) {
  constexpr std::string_view kDisplayController = "0x03";
  constexpr std::string_view kProcessingAccelerator = "0x1200";
  return pci_class.starts_with(kDisplayController) ||
         (maker.name == "AMD" && pci_class.starts_with(kProcessingAccelerator));
}

std::string without_prefix(const std::string& id) { return id.starts_with("0x") ? id.substr(2) : id; }

/// "driver" is a link to the module's folder.
std::string module_of(const fs::path& card) {
  std::error_code none;
  return fs::read_symlink(card / "driver", none).filename().string();
}

}  // namespace

std::string Card::name() const { return fmt::format("{} card {} at {}", maker->name, ids, place); }

bool Card::has_module() const {
  return std::find(maker->modules.begin(), maker->modules.end(), module) != maker->modules.end();
}

std::vector<Card> cards_below(const std::string& root) {
  std::vector<Card> cards;
  std::error_code failed;
  fs::directory_iterator entry(fs::path(root) / "sys/bus/pci/devices", failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    const fs::path& folder = entry->path();
    const std::string vendor = line_of(folder / "vendor");
    const CardMaker* maker = maker_of(vendor);
    if (maker == nullptr || !computes(*maker, line_of(folder / "class"))) continue;
    const std::string ids = without_prefix(vendor) + ":" + without_prefix(line_of(folder / "device"));
    cards.push_back({maker, ids, folder.filename().string(), module_of(folder)});
  }
  std::sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) { return a.place < b.place; });
  return cards;
}

}  // namespace anycl::command
