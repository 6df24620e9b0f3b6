// Needs: no driver
#include "device/ranking.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "anycl/device/selection.hpp"
#include "device/made_devices.hpp"
#include "device/throughput.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

using namespace anycl;
using test::discovery_of;
using test::Made;

namespace {

using Names = std::vector<std::string>;

constexpr auto kDiscrete = DeviceKind::discrete_gpu;
constexpr auto kIntegrated = DeviceKind::integrated_gpu;
constexpr auto kCpu = DeviceKind::cpu;
constexpr std::uint32_t kNvidia = 0x10DE, kAmd = 0x1002, kIntel = 0x8086;

const Made kRtx3090{.platform = "NVIDIA CUDA",
                    .alias = "nvidia",
                    .kind = kDiscrete,
                    .name = "RTX 3090",
                    .units = 82,
                    .vendor_id = kNvidia,
                    .pci_bus = 1,
                    .clock_mhz = 1695};
const Made kArcA770{.platform = "Intel(R) OpenCL Graphics",
                    .alias = "intel",
                    .kind = kDiscrete,
                    .name = "Arc A770",
                    .units = 512,
                    .vendor_id = kIntel,
                    .pci_bus = 3,
                    .clock_mhz = 2400};
const Made kRx6800{.platform = "AMD",
                   .alias = "amd",
                   .kind = kDiscrete,
                   .name = "gfx1030",
                   .units = 60,
                   .vendor_id = kAmd,
                   .pci_bus = 5,
                   .clock_mhz = 2105};
const Made kMesa6800{.platform = "rusticl",
                     .alias = "rusticl",
                     .kind = kDiscrete,
                     .name = "AMD Radeon RX 6800",
                     .units = 60,
                     .vendor_id = kAmd,
                     .clock_mhz = 2105};

Names default_of(const std::vector<Made>& devices) {
  const test::Variable unset("ANYCL_DEVICES", std::nullopt);
  Names names;
  for (const auto& chosen : rank_devices(discovery_of(devices)).chosen) names.push_back(chosen.device.name());
  return names;
}

}  // namespace

TEST_CASE("cards of different makers are ordered by what they compute, not by how they count units [OCL-013]",
          "[device][ranking]") {
  std::vector<Made> devices{kRtx3090, kArcA770, kRx6800};
  std::sort(devices.begin(), devices.end(), [](const Made& a, const Made& b) { return a.name < b.name; });

  do {
    CHECK(default_of(devices) == Names{"RTX 3090", "Arc A770", "gfx1030"});
  } while (std::next_permutation(devices.begin(), devices.end(),
                                 [](const Made& a, const Made& b) { return a.name < b.name; }));
}

TEST_CASE("the estimate is within a factor of two of the makers' figures", "[device][ranking]") {
  const auto teraflops = [](const Made& made) { return detail::estimated_gflops(test::device_of(made)) / 1000; };

  CHECK(teraflops(kRtx3090) == Approx(35.6).epsilon(0.05));
  CHECK(teraflops(kArcA770) == Approx(19.7).epsilon(0.05));
  CHECK(teraflops(kRx6800) == Approx(16.2).epsilon(0.05));
}

TEST_CASE("a card under its maker's driver and under Mesa's is taken once, under the maker's", "[device][ranking]") {
  CHECK(default_of({kRx6800, kMesa6800}) == Names{"gfx1030"});
  CHECK(default_of({kMesa6800, kRx6800}) == Names{"gfx1030"});

  Made mesa_with_place = kMesa6800;
  mesa_with_place.pci_bus = kRx6800.pci_bus;
  CHECK(default_of({mesa_with_place, kRx6800}) == Names{"gfx1030"});
  mesa_with_place.pci_bus = 9;  // another card of the same maker
  CHECK(default_of({mesa_with_place, kRx6800}).size() == 2);
}

TEST_CASE("the other driver of a card is there when named", "[device][ranking]") {
  const test::Variable unset("ANYCL_DEVICES", std::nullopt);
  const auto ranking = rank_devices(discovery_of({kRx6800, kMesa6800}));
  REQUIRE(ranking.left_out.size() == 1);
  CHECK(ranking.left_out.front().reason == "same card as amd under a slower driver; name it to use it");

  const auto named = choose_devices(discovery_of({kRx6800, kMesa6800}), "rusticl");
  CHECK(named.front().device.name() == "AMD Radeon RX 6800");
}

TEST_CASE("of two alike cards under two drivers both are taken, each once", "[device][ranking]") {
  Made second = kRx6800, second_mesa = kMesa6800;
  second.name = "second", second.pci_bus = 6;
  second_mesa.name = "second under Mesa", second_mesa.id = "other";

  CHECK(default_of({kMesa6800, second_mesa, second, kRx6800}) == Names{"gfx1030", "second"});
}

TEST_CASE("a card that only Mesa drives is used", "[device][ranking]") {
  CHECK(default_of({kMesa6800, {"pocl", "pocl", kCpu, "cpu"}}) == Names{"AMD Radeon RX 6800", "cpu"});
  CHECK(default_of({kMesa6800, kRtx3090}) == Names{"RTX 3090", "AMD Radeon RX 6800"});
}

TEST_CASE("cards that one maker's driver shows on two platforms are two", "[device][ranking]") {
  Made integrated = kArcA770;
  integrated.kind = kIntegrated, integrated.name = "UHD 770", integrated.units = 32;
  integrated.platform = "Intel(R) OpenCL Graphics 2";
  Made discrete = kArcA770;
  discrete.pci_bus = integrated.pci_bus = std::nullopt;

  CHECK(default_of({discrete, integrated}) == Names{"Arc A770", "UHD 770"});
}

TEST_CASE("devices without a clock or a maker are still ordered and used", "[device][ranking]") {
  const Made a{.platform = "Somebody", .alias = "somebody", .kind = kDiscrete, .name = "a", .units = 0, .clock_mhz = 0};
  Made b = a;
  b.name = "b";

  CHECK(default_of({b, a}) == Names{"a", "b"});
}

TEST_CASE("parts of a card or processor that one driver shows as devices are all taken", "[device][ranking]") {
  Made tile = kArcA770;
  tile.name = "tile";
  Made half{.platform = "pocl", .alias = "pocl", .kind = kCpu, .name = "half"};

  CHECK(default_of({tile, tile}) == Names{"tile", "tile"});
  CHECK(default_of({half, half}) == Names{"half", "half"});
  const Made whole{.platform = "Intel(R) OpenCL", .alias = "intel", .kind = kCpu, .name = "whole"};
  CHECK(default_of({half, half, whole}) == Names{"whole"});
}

TEST_CASE("of one card under two versions of its driver the newer one is taken, whatever the loader's order",
          "[device][ranking][OCL-010]") {
  const test::Variable unset("ANYCL_DEVICES", std::nullopt);
  Made newer = kRtx3090, older = kRtx3090;
  newer.driver_version = "550.54.14";
  older.driver_version = "550.9";  // a number after number, not letter after letter
  older.platform = "NVIDIA CUDA, the other";

  for (const auto& order : {std::vector<Made>{newer, older}, std::vector<Made>{older, newer}}) {
    const auto ranking = rank_devices(discovery_of(order));
    REQUIRE(ranking.chosen.size() == 1);
    CHECK(ranking.chosen.front().device.driver_version() == "550.54.14");
    CHECK(ranking.left_out.at(0).reason == "same card as under nvidia 550.54.14");
  }
}

TEST_CASE("a processor's graphics are not taken for a card of the same maker", "[device][ranking]") {
  Made integrated = kMesa6800;
  integrated.kind = kIntegrated;
  integrated.name = "Vega 8";

  CHECK(default_of({kRx6800, integrated}) == Names{"gfx1030", "Vega 8"});
}

TEST_CASE("an equally good driver of the same processor is no slower one", "[device][ranking]") {
  const test::Variable unset("ANYCL_DEVICES", std::nullopt);
  const Made one{.platform = "One", .alias = "one", .kind = kCpu, .name = "cpu"};
  const Made two{.platform = "Two", .alias = "two", .kind = kCpu, .name = "cpu"};

  CHECK(rank_devices(discovery_of({two, one})).left_out.at(0).reason ==
        "same processor as one under another driver; name it to use it");
}
