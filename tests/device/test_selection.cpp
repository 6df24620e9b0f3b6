// Needs: no driver
#include "anycl/device/selection.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "device/made_devices.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"
#include "support/variable.hpp"

using namespace anycl;

namespace {

using Names = std::vector<std::string>;

using test::discovery_of;
using test::Made;

constexpr auto kDiscrete = DeviceKind::discrete_gpu;
constexpr auto kIntegrated = DeviceKind::integrated_gpu;
constexpr auto kCpu = DeviceKind::cpu;

/// A machine with something of everything.
Discovery well_equipped() {
  return discovery_of({
      {"Intel(R) OpenCL Graphics", "intel", kDiscrete, "Arc A770", 32},
      {"Intel(R) OpenCL Graphics", "intel", kIntegrated, "UHD 770", 4},
      {"Intel(R) OpenCL", "intel", kCpu, "Core i7, 8 cores: fast", 8},
      {"NVIDIA CUDA", "nvidia", kDiscrete, "GeForce 3060", 28},
      {"NVIDIA CUDA", "nvidia", kDiscrete, "GeForce 4090", 128},
      {"Oclgrind", "oclgrind", DeviceKind::emulator, "Oclgrind Simulator", 1},
      {"Portable Computing Language", "pocl", kCpu, "pthread-i7", 8},
      {"rusticl", "rusticl", kCpu, "llvmpipe (LLVM 15)", 8},
      {"Somebody Else", "somebody", DeviceKind::accelerator, "Cruncher", 2},
  });
}

Names names_of(const std::vector<ChosenDevice>& chosen) {
  Names names;
  for (const auto& entry : chosen) names.push_back(entry.device.name());
  return names;
}

Names chosen(std::string_view selection) { return names_of(choose_devices(well_equipped(), selection)); }

/// Text of the error of type `E` that a selection gives; "no error" or "other error" otherwise.
template <class E>
std::string refusal(const Discovery& discovery, std::string_view selection) {
  try {
    static_cast<void>(choose_devices(discovery, selection));
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("other error: ") + error.what();
  }
  return "no error";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// ANYCL_DEVICES as the test wants it.
struct DevicesVariable : test::Variable {
  explicit DevicesVariable(std::optional<std::string> value) : Variable("ANYCL_DEVICES", std::move(value)) {}
};

const Names kDefault{"GeForce 4090", "Arc A770", "GeForce 3060", "UHD 770", "Core i7, 8 cores: fast", "Cruncher"};

}  // namespace

TEST_CASE("the default is discrete before integrated before cpu, one per piece of silicon",
          "[device][selection][OCL-013]") {
  const DevicesVariable unset(std::nullopt);

  CHECK(chosen("") == kDefault);
}

TEST_CASE("each place in the default has a reason that can be read", "[device][selection][OCL-013]") {
  const DevicesVariable unset(std::nullopt);

  const auto devices = choose_devices(well_equipped());

  CHECK(devices.at(0).reason == "best discrete gpu of 9 found, about 16.4 TFLOP/s");
  CHECK(devices.at(3).reason == "next integrated gpu of 9 found, about 512 GFLOP/s");
}

TEST_CASE("devices that are alike in all but id have one order whatever the loader's", "[device][selection][OCL-013]") {
  const DevicesVariable unset(std::nullopt);
  const Made a{"NVIDIA CUDA", "nvidia", kDiscrete, "card", 8, "uuid-aa"};
  const Made b{"NVIDIA CUDA", "nvidia", kDiscrete, "card", 8, "uuid-bb"};

  for (const auto& order : {std::vector<Made>{a, b}, std::vector<Made>{b, a}}) {
    const auto devices = choose_devices(discovery_of(order));
    CHECK(devices.at(0).device.id() == "uuid-aa");
    CHECK(devices.at(1).device.id() == "uuid-bb");
  }
}

TEST_CASE("one processor under several drivers is taken under the fastest", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const Made intel{"Intel(R) OpenCL", "intel", kCpu, "intel cpu"};
  const Made pocl{"Portable Computing Language", "pocl", kCpu, "pocl cpu"};
  const Made other{"Somebody", "somebody", kCpu, "other cpu", 64};
  const Made rusticl{"rusticl", "rusticl", kCpu, "rusticl cpu", 64};

  CHECK(names_of(choose_devices(discovery_of({rusticl, other, pocl, intel}))) == Names{"intel cpu"});
  CHECK(names_of(choose_devices(discovery_of({rusticl, other, pocl}))) == Names{"pocl cpu"});
  CHECK(names_of(choose_devices(discovery_of({rusticl, other}))) == Names{"other cpu"});
  CHECK(names_of(choose_devices(discovery_of({rusticl}))) == Names{"rusticl cpu"});
}

TEST_CASE("a device that cannot work is passed over, by name too", "[device][selection][OCL-011]") {
  const DevicesVariable unset(std::nullopt);
  Made gone{"NVIDIA CUDA", "nvidia", kDiscrete, "gone"};
  gone.available = false;
  Made mute{"AMD", "amd", kDiscrete, "mute"};
  mute.compiler = false;
  const Discovery discovery = discovery_of({gone, mute, {"pocl", "pocl", kCpu, "cpu"}});

  CHECK(names_of(choose_devices(discovery)) == Names{"cpu"});
  CHECK(holds(refusal<NoDevice>(discovery, "gone"), "nvidia 'gone' (the driver says it is not available)"));
  CHECK(names_of(choose_devices(discovery, "mute")) == Names{"mute"});
}

TEST_CASE("an emulator is used only when named", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const Discovery discovery = discovery_of({{"Oclgrind", "oclgrind", DeviceKind::emulator, "Oclgrind Simulator"}});

  CHECK(holds(refusal<NoDevice>(discovery, ""), "an emulator is used only when named"));
  CHECK(names_of(choose_devices(discovery, "oclgrind")) == Names{"Oclgrind Simulator"});
  CHECK(names_of(choose_devices(discovery, "emulator")) == Names{"Oclgrind Simulator"});
}

TEST_CASE("a selection names devices in its own order", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const auto [selection, want] = GENERATE(table<std::string, Names>({
      // kinds
      {"gpu", {"GeForce 4090", "Arc A770", "GeForce 3060", "UHD 770"}},
      {"discrete", {"GeForce 4090", "Arc A770", "GeForce 3060"}},
      {"integrated", {"UHD 770"}},
      {"cpu", {"Core i7, 8 cores: fast", "pthread-i7", "llvmpipe (LLVM 15)"}},
      {"accelerator", {"Cruncher"}},
      {"emulator", {"Oclgrind Simulator"}},
      {"CPU", {"Core i7, 8 cores: fast", "pthread-i7", "llvmpipe (LLVM 15)"}},
      // platforms, by alias and by name
      {"pocl", {"pthread-i7"}},
      {"POCL", {"pthread-i7"}},
      {"nvidia", {"GeForce 4090", "GeForce 3060"}},
      {"NVIDIA CUDA", {"GeForce 4090", "GeForce 3060"}},
      {"Portable Computing Language", {"pthread-i7"}},
      {"intel", {"Arc A770", "UHD 770", "Core i7, 8 cores: fast"}},
      // names and globs
      {"UHD 770", {"UHD 770"}},
      {"*arc*", {"Arc A770"}},
      {"*770", {"Arc A770", "UHD 770"}},
      {"geforce ?0?0", {"GeForce 4090", "GeForce 3060"}},
      {"Core i7? 8 cores? fast", {"Core i7, 8 cores: fast"}},
      {"*",
       {"GeForce 4090", "Arc A770", "GeForce 3060", "UHD 770", "Core i7, 8 cores: fast", "pthread-i7",
        "llvmpipe (LLVM 15)", "Cruncher", "Oclgrind Simulator"}},
      // two and three parts
      {"intel:cpu", {"Core i7, 8 cores: fast"}},
      {"intel:gpu", {"Arc A770", "UHD 770"}},
      {"intel:gpu:UHD*", {"UHD 770"}},
      {"gpu:*770", {"Arc A770", "UHD 770"}},
      {"nvidia:*3060", {"GeForce 3060"}},
      {"rusticl:cpu:llvm*", {"llvmpipe (LLVM 15)"}},
      {"n*a:gpu", {"GeForce 4090", "GeForce 3060"}},
      // indices: best first, within what stands before them
      {"nvidia:0", {"GeForce 4090"}},
      {"nvidia:1", {"GeForce 3060"}},
      {"gpu:0", {"GeForce 4090"}},
      {"gpu:3", {"UHD 770"}},
      {"*:8", {"Oclgrind Simulator"}},
      {"intel:gpu:1", {"UHD 770"}},
      {"intel:2", {"Core i7, 8 cores: fast"}},
      {"cpu:1", {"pthread-i7"}},
      {"nvidia:00001", {"GeForce 3060"}},
      // lists: order is preference, a device named twice keeps its first place
      {"pocl,nvidia:0", {"pthread-i7", "GeForce 4090"}},
      {"nvidia:0,pocl", {"GeForce 4090", "pthread-i7"}},
      {"pocl,cpu", {"pthread-i7", "Core i7, 8 cores: fast", "llvmpipe (LLVM 15)"}},
      {"pocl,pocl,POCL", {"pthread-i7"}},
      {" pocl , nvidia : 0 ", {"pthread-i7", "GeForce 4090"}},
      {"nothing*,pocl", {"pthread-i7"}},
      // leaving out
      {"gpu,!nvidia", {"Arc A770", "UHD 770"}},
      {"!nvidia,gpu", {"Arc A770", "UHD 770"}},
      {"cpu,!intel,!rusticl", {"pthread-i7"}},
      {"!intel:gpu,intel", {"Core i7, 8 cores: fast"}},
      {"nvidia,!nvidia:0", {"GeForce 3060"}},
      {"! nvidia,gpu", {"Arc A770", "UHD 770"}},
      // indices count whatever other terms leave out
      {"nvidia:1,!nvidia:0", {"GeForce 3060"}},
      {"cpu,!cpu:0,!cpu:1", {"llvmpipe (LLVM 15)"}},
      {"gpu,!nvidia:0,!nvidia:0", {"Arc A770", "GeForce 3060", "UHD 770"}},
      // only leaving out: of all that the default takes
      {"!gpu", {"Core i7, 8 cores: fast", "Cruncher"}},
      {"!nvidia", {"Arc A770", "UHD 770", "Core i7, 8 cores: fast", "Cruncher"}},
      {"!intel", {"GeForce 4090", "GeForce 3060", "pthread-i7", "Cruncher"}},
      {"!nothing*", kDefault},
  }));

  CAPTURE(selection);
  CHECK(chosen(selection) == want);
}

TEST_CASE("a named device's reason is the term that named it", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);

  CHECK(choose_devices(well_equipped(), "nothing*,pocl:cpu").at(0).reason == "named by selection 'pocl:cpu'");
}

TEST_CASE("a device that is not there is an error that lists all, never a substitute", "[device][selection][OCL-014]") {
  const DevicesVariable unset(std::nullopt);
  const auto selection = GENERATE(as<std::string>{}, "xyz", "nvidia:5", "intel:cpu:1", "amd", "pocl:gpu", "cpu:99",
                                  "*,!*", "!*", "pocl:pthread", "nvidia:18446744073709551615");

  const std::string text = refusal<NoDevice>(well_equipped(), selection);

  CAPTURE(selection, text);
  CHECK(text.starts_with("no device left to use: "));
  for (const Device& device : well_equipped().devices()) CHECK(holds(text, "'" + device.name() + "'"));
}

TEST_CASE("a bare index is refused with two platforms and counts with one", "[device][selection][OCL-017]") {
  const DevicesVariable unset(std::nullopt);
  const Discovery one = discovery_of({{"P", "p", kDiscrete, "first"}, {"P", "p", kDiscrete, "second"}});
  const Discovery two = discovery_of({{"P", "p", kDiscrete, "first"}, {"Q", "q", kDiscrete, "second"}});

  CHECK(names_of(choose_devices(one, "1")) == Names{"second"});
  CHECK(names_of(choose_devices(one, "0")) == Names{"first"});
  CHECK(names_of(choose_devices(one, "!0")) == Names{"second"});
  CHECK(refusal<InvalidArgument>(two, "0") ==
        "selection: '0' is ambiguous with several platforms; a term is [!][platform:][kind:][name|index]");
  CHECK(holds(refusal<InvalidArgument>(two, "!0"), "is ambiguous with several platforms"));
}

TEST_CASE("a bare index is refused with two platforms of one name", "[device][selection][OCL-017]") {
  const DevicesVariable unset(std::nullopt);
  Discovery namesakes = discovery_of({{"P", "p", kDiscrete, "first"}, {"Q", "p", kDiscrete, "second"}});
  namesakes.platforms[1].devices = {test::device_of({"P", "p", kDiscrete, "second"}, {}, 2)};

  CHECK(holds(refusal<InvalidArgument>(namesakes, "0"), "'0' is ambiguous with several platforms"));
  CHECK(names_of(choose_devices(namesakes, "p:1")) == Names{"second"});
}

TEST_CASE("a malformed selection is refused with the term that is wrong", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const auto [selection, part] = GENERATE(table<std::string, std::string>({
      {",", "has an empty term"},
      {"pocl,", "has an empty term"},
      {",pocl", "has an empty term"},
      {"pocl,,intel", "has an empty term"},
      {" ", "has an empty term"},
      {"!", "has an empty term"},
      {"pocl,!", "has an empty term"},
      {"pocl, ! ", "has an empty term"},
      {"!!pocl", "'!!pocl' has '!' twice"},
      {"! !pocl", "has '!' twice"},
      {"cpu:gpu:0", "'cpu:gpu:0' has two kinds"},
      {"cpu:cpu", "'cpu:cpu' has two kinds"},
      {":", "'"},
      {"pocl:", "'pocl:' has an empty part"},
      {":pocl", "':pocl' has an empty part"},
      {"intel::0", "'intel::0' has an empty part"},
      {"!:0", "'!:0' has an empty part"},
      {"intel:cpu:x:0", "'intel:cpu:x:0' has more than three parts"},
      {"intel:fast:0", "'intel:fast:0' has 'fast' where a kind must stand"},
      {"nvidia:99999999999999999999999", "has an index that is too large"},
  }));

  const std::string text = refusal<InvalidArgument>(well_equipped(), selection);

  CAPTURE(selection, text);
  CHECK(holds(text, part));
  CHECK(text.starts_with("selection: '"));
  CHECK_FALSE(holds(text, "\n"));
}

TEST_CASE("a selection of many lines or bytes gives one short line", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const auto selection = GENERATE(as<std::string>{}, "gp\nu::", "a\x1b:b:c", std::string(10'000, 'x') + ":y:z");

  const std::string text = refusal<InvalidArgument>(well_equipped(), selection);

  CAPTURE(text);
  CHECK(text.find_first_of("\n\x1b") == std::string::npos);
  CHECK(text.size() < 300);
}

TEST_CASE("a device's reason is one short line", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);

  CHECK(choose_devices(well_equipped(), "cpu,x\ny,*" + std::string(1000, '*')).back().reason ==
        "named by selection '" + std::string(40, '*') + "...'");
  CHECK(holds(refusal<NoDevice>(well_equipped(), "x\ny"), "(not named by selection 'x?y')"));
}

TEST_CASE("ANYCL_DEVICES is a mask, and selections choose within it", "[device][selection]") {
  const DevicesVariable mask("cpu,nvidia:0");

  CHECK(chosen("") == Names{"Core i7, 8 cores: fast", "pthread-i7", "llvmpipe (LLVM 15)", "GeForce 4090"});
  CHECK(chosen("gpu") == Names{"GeForce 4090"});
  CHECK(chosen("cpu:1") == Names{"pthread-i7"});
  CHECK(chosen("nvidia:0") == Names{"GeForce 4090"});
  CHECK(chosen("!pocl") == Names{"Core i7, 8 cores: fast", "llvmpipe (LLVM 15)", "GeForce 4090"});
  CHECK(holds(refusal<NoDevice>(well_equipped(), "*Arc*"),
              "intel 'Arc A770' (not named by ANYCL_DEVICES 'cpu,nvidia:0')"));
}

TEST_CASE("within ANYCL_DEVICES its order counts, for indices too", "[device][selection]") {
  const DevicesVariable mask("rusticl,nvidia:1,pocl,nvidia:0");

  CHECK(chosen("cpu") == Names{"llvmpipe (LLVM 15)", "pthread-i7"});
  CHECK(chosen("cpu:0") == Names{"llvmpipe (LLVM 15)"});
  CHECK(chosen("nvidia:0") == Names{"GeForce 3060"});
}

TEST_CASE("ANYCL_DEVICES that only leaves out narrows the default", "[device][selection]") {
  const DevicesVariable mask("!nvidia");

  CHECK(chosen("") == Names{"Arc A770", "UHD 770", "Core i7, 8 cores: fast", "Cruncher"});
  CHECK(chosen("gpu") == Names{"Arc A770", "UHD 770"});
  CHECK(holds(refusal<NoDevice>(well_equipped(), "nvidia"),
              "nvidia 'GeForce 3060' (left out by ANYCL_DEVICES '!nvidia')"));
}

TEST_CASE("a malformed ANYCL_DEVICES is refused by its name", "[device][selection]") {
  const DevicesVariable mask("intel::0");

  CHECK(holds(refusal<InvalidArgument>(well_equipped(), ""), "ANYCL_DEVICES: 'intel::0' has an empty part"));
}

TEST_CASE("an empty ANYCL_DEVICES is none", "[device][selection]") {
  const DevicesVariable mask("");

  CHECK(chosen("") == kDefault);
}

TEST_CASE("any text gives devices or a one-line error, never anything else", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const Discovery discovery = well_equipped();
  test::Random random(7);
  const std::string grammar = "!*?,:: 019agpu";
  std::string everything;
  for (int c = 1; c < 256; ++c) everything += static_cast<char>(c);
  constexpr std::array<std::string_view, 8> kWords{"intel", "pocl", "gpu", "cpu", "0", "*", "!", ":"};

  for (int round = 0; round < 20000; ++round) {
    std::string selection = random.text(random.below(24), round % 2 == 0 ? grammar : everything);
    if (round % 3 == 0) selection.insert(random.below(selection.size() + 1), kWords[random.below(kWords.size())]);
    try {
      const auto devices = choose_devices(discovery, selection);
      if (devices.empty()) FAIL("nothing chosen and no error for " << selection);
    } catch (const InvalidArgument&) {
    } catch (const NoDevice&) {}  // anything else ends the test
  }
}

TEST_CASE("a glob of many stars is matched in no time", "[device][selection]") {
  const DevicesVariable unset(std::nullopt);
  const Discovery discovery = discovery_of({{"P", "p", kDiscrete, std::string(5000, 'a')}});
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";

  CHECK(names_of(choose_devices(discovery, pattern)).size() == 1);
  CHECK(holds(refusal<NoDevice>(discovery, pattern + "b"), "no device left"));
}
