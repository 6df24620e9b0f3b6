// What sub-devices are as devices. tests/memory/test_sub_devices.cpp has them at work.
// Needs: a driver with threads
#include "anycl/device/partition.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "anycl/base/error.hpp"
#include "anycl/device/selection.hpp"
#include "device/device_record.hpp"
#include "device/fake_machine.hpp"
#include "device/made_devices.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/layer.hpp"
#include "support/sanitizer.hpp"

using namespace anycl;
using Counts = std::vector<std::uint32_t>;

namespace {

/// Those of the visible devices that have two units and more, and can be divided both ways.
std::vector<Device> divisible_devices() {
  std::vector<Device> devices = discover().devices();
  std::erase_if(devices, [](const Device& device) {
    const auto& facts = device.capabilities();
    return !facts.partitioning || !facts.partitioning->equally || !facts.partitioning->by_counts ||
           facts.compute_units < 2;
  });
  return devices;
}

template <class Function>
std::string error_text(Function&& function) {
  try {
    static_cast<void>(function());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A device that can be divided in the ways given, by a driver of whom nothing is asked.
Device made(std::uint32_t units, std::optional<Partitioning> ways) {
  Capabilities facts;
  facts.partitioning = ways;
  return test::device_of({.platform = "Fake", .alias = "fake", .name = "card", .units = units}, facts);
}

constexpr Partitioning kAllWays{.max_sub_devices = 4, .equally = true, .by_counts = true, .by_numa_domain = true};

cl_device_id handle(std::uintptr_t number) { return reinterpret_cast<cl_device_id>(number); }

/// Drivers that make parts 0x1000, 0x1001, ... and count those that are given back.
struct FakeParts {
  static inline cl_uint count = 2;
  static inline cl_int code = CL_SUCCESS;
  static inline int calls = 0;
  static inline std::vector<cl_device_id> released;
  static inline std::vector<cl_device_partition_property> asked;

  FakeParts() {
    count = 2;
    code = CL_SUCCESS;
    calls = 0;
    released.clear();
    asked.clear();
  }

  static cl_int make(cl_device_id, const cl_device_partition_property* properties, cl_uint size, cl_device_id* parts,
                     cl_uint* number) {
    ++calls;
    asked.assign(properties, properties + 2);
    if (code != CL_SUCCESS) return code;
    if (number != nullptr) *number = count;
    for (cl_uint i = 0; parts != nullptr && i < size; ++i) parts[i] = handle(0x1000 + i);
    return CL_SUCCESS;
  }

  test::Faults faults{[](detail::EntryPoints& table) {
    table.objects_have_tables = false;  // these handles have none
    table.clCreateSubDevices = &FakeParts::make;
    table.clReleaseDevice = [](cl_device_id device) -> cl_int {
      released.push_back(device);
      return CL_SUCCESS;
    };
    table.clGetDeviceInfo = [](cl_device_id, cl_device_info, size_t, void*, size_t*) -> cl_int {
      return CL_INVALID_VALUE;
    };
  }};
};

std::optional<Device> late_part;  // constructed before main() and so destroyed after drivers have ended, too

}  // namespace

TEST_CASE("a part knows its parent, its units and its place", "[device][partition]") {
  for (const Device& whole : divisible_devices()) {
    INFO(whole.platform_alias());
    const auto units = whole.capabilities().compute_units;

    const auto parts = partition_equally(whole, 1);

    REQUIRE(parts.size() == units);
    CHECK_FALSE(whole.parent().has_value());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      CHECK(parts[i].parent() == whole);
      CHECK_FALSE(parts[i] == whole);
      CHECK(parts[i].capabilities().compute_units == 1);
      CHECK(parts[i].id() == whole.id() + "/units-" + std::to_string(i) + "-" + std::to_string(i));
      CHECK(parts[i].name() == whole.name());
      CHECK(parts[i].kind() == whole.kind());
      CHECK(parts[i].platform_alias() == whole.platform_alias());
      CHECK(parts[i].record().faults.binary_query_blocks == whole.record().faults.binary_query_blocks);
    }
    CHECK_FALSE(parts[0] == parts[1]);
  }
}

TEST_CASE("parts by counts take the units from the first on", "[device][partition]") {
  for (const Device& whole : divisible_devices()) {
    INFO(whole.platform_alias());
    const auto units = whole.capabilities().compute_units;

    const auto parts = partition_by_counts(whole, Counts{1, units - 1});

    REQUIRE(parts.size() == 2);
    CHECK(parts[0].capabilities().compute_units == 1);
    CHECK(parts[1].capabilities().compute_units == units - 1);
    CHECK(parts[1].id() == whole.id() + "/units-1-" + std::to_string(units - 1));
    CHECK(partition_by_counts(whole, Counts{1}).at(0).id() == parts[0].id());  // made twice, one name
    CHECK_FALSE(partition_by_counts(whole, Counts{1}).at(0) == parts[0]);
  }
}

TEST_CASE("a device that cannot be divided says so, and its driver is not asked", "[device][partition]") {
  // rusticl and the stub have no code behind clCreateSubDevices: a call would end the process.
  for (const Device& device : discover().devices()) {
    if (device.capabilities().partitioning) continue;
    INFO(device.platform_alias());
    const auto text = error_text([&] { return partition_equally(device, 1); });
    CHECK(text == "partition: '" + device.name() + "' (" + device.platform_alias() +
                      ") cannot be divided: it has no sub-devices");
    CHECK_THROWS_AS(partition_by_counts(device, Counts{1}), Unsupported);
    CHECK_THROWS_AS(partition_by_numa_domain(device), Unsupported);
  }
  const FakeParts driver;
  CHECK_THROWS_AS(partition_by_numa_domain(made(8, std::nullopt)), Unsupported);
  CHECK(error_text([] {
          return partition_by_numa_domain(made(8, Partitioning{4, true, true, false}));
        }) == "partition: 'card' (fake) cannot be divided by NUMA domain, only equally and by counts");
  CHECK(error_text([] {
          return partition_equally(made(8, Partitioning{4, false, false, true}), 2);
        }) == "partition: 'card' (fake) cannot be divided equally, only by NUMA domain");
  CHECK(FakeParts::calls == 0);
}

TEST_CASE("what cannot be is refused with the numbers, before the driver is asked", "[device][partition]") {
  const FakeParts driver;
  const Device card = made(8, kAllWays);
  const auto equally = [&](std::uint32_t units) { return error_text([&] { return partition_equally(card, units); }); };
  const auto by_counts = [&](const Counts& counts) {
    return error_text([&] { return partition_by_counts(card, counts); });
  };

  CHECK(equally(0) == "partition: parts of 0 compute units asked for, but 'card' (fake) has 8");
  CHECK(equally(9) == "partition: parts of 9 compute units asked for, but 'card' (fake) has 8");
  CHECK(by_counts({}) == "partition: the list of counts is empty");
  CHECK(by_counts({3, 0, 1}) == "partition: count 2 of 3 is 0");
  CHECK(by_counts({4, 5}) == "partition: 4 + 5 = 9 compute units asked for, but 'card' (fake) has 8");
  CHECK(by_counts({0xFFFFFFFF, 2}) ==
        "partition: 4294967295 + 2 = 4294967297 compute units asked for, but 'card' (fake) has 8");
  CHECK(by_counts({1, 1, 1, 1, 1}) == "partition: 5 parts asked for, but 'card' (fake) can be divided into 4 at most");
  CHECK_THROWS_AS(partition_equally(card, 0), InvalidArgument);
  CHECK_THROWS_AS(partition_by_counts(card, Counts{}), InvalidArgument);
  CHECK(FakeParts::calls == 0);
}

TEST_CASE("parts by NUMA domain are those the driver makes", "[device][partition]") {
  const FakeParts driver;
  FakeParts::count = 3;
  {
    const auto parts = partition_by_numa_domain(made(8, kAllWays));

    CHECK(FakeParts::asked == std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                                        CL_DEVICE_AFFINITY_DOMAIN_NUMA});
    REQUIRE(parts.size() == 3);
    CHECK(parts[2].id() == "fake-card/numa-2");
    CHECK(FakeParts::released.empty());
  }
  CHECK(FakeParts::released.size() == 3);
}

TEST_CASE("the last handle gives a part back, once", "[device][partition]") {
  const FakeParts driver;
  auto parts = partition_equally(made(4, kAllWays), 2);
  std::optional<Device> kept = parts[1];

  parts.clear();
  CHECK(FakeParts::released == std::vector{handle(0x1000)});
  kept.reset();
  CHECK(FakeParts::released == std::vector{handle(0x1000), handle(0x1001)});
}

TEST_CASE("a part keeps the part that it is a part of", "[device][partition]") {
  const FakeParts driver;
  FakeParts::count = 1;
  Device half = partition_equally(made(4, kAllWays), 4).at(0);
  auto record = std::make_shared<detail::DeviceRecord>(half.record());  // as its driver would describe it
  record->capabilities.partitioning = kAllWays;
  record->capabilities.compute_units = 4;
  std::optional<Device> quarter = partition_equally(Device(std::move(record)), 2).at(0);

  half = made(1, std::nullopt);
  CHECK(FakeParts::released.empty());
  CHECK(quarter->id() == "fake-card/units-0-3/units-0-1");
  quarter.reset();
  CHECK(FakeParts::released.size() == 2);
}

TEST_CASE("a driver whose threads use a part for too long gets none back", "[device][partition]") {
  const FakeParts driver;
  auto record = std::make_shared<detail::DeviceRecord>(made(4, kAllWays).record());
  record->faults.sub_device_release_races = true;

  CHECK(partition_equally(Device(std::move(record)), 2).size() == 2);

  CHECK(FakeParts::released.empty());
}

TEST_CASE("a driver that makes nothing, or more than any machine has, is not believed", "[device][partition]") {
  const FakeParts driver;
  FakeParts::count = GENERATE(0u, 4097u, test::kPoison);

  CHECK_THROWS_AS(partition_equally(made(4, kAllWays), 2), Unsupported);
  CHECK(FakeParts::calls == 1);
  CHECK(FakeParts::released.empty());
}

TEST_CASE("a driver that cannot divide so after all says what it answers", "[device][partition]") {
  const FakeParts driver;
  const Device card = made(4, kAllWays);

  FakeParts::code = CL_DEVICE_PARTITION_FAILED;
  CHECK(error_text([&] { return partition_equally(card, 4); }) ==
        "partition: the driver of 'card' (fake) cannot divide its 4 compute units so (CL_DEVICE_PARTITION_FAILED "
        "(-18))");
  FakeParts::code = CL_OUT_OF_RESOURCES;
  CHECK_THROWS_AS(partition_equally(card, 2), Error);
  CHECK(FakeParts::released.empty());
}

TEST_CASE("no default takes a part, and a name does", "[device][partition]") {
  const FakeParts driver;
  Capabilities facts;
  facts.partitioning = kAllWays;
  const Device whole = test::device_of({.platform = "Fake", .alias = "fake", .name = "card", .units = 4}, facts);
  Discovery found{"", {{"Fake", "", "", "fake", {}}}, {}};
  auto& devices = found.platforms[0].devices;
  for (const Device& part : partition_equally(whole, 2)) {
    auto record = std::make_shared<detail::DeviceRecord>(part.record());
    record->capabilities.available = record->capabilities.has_compiler = true;
    devices.emplace_back(std::move(record));
  }
  devices.push_back(whole);

  const auto ranking = rank_devices(found);
  REQUIRE(ranking.chosen.size() == 1);
  CHECK(ranking.chosen[0].device == whole);
  REQUIRE(ranking.left_out.size() == 2);
  CHECK(ranking.left_out[0].reason == "a sub-device is used only when named");
  CHECK(rank_devices(found, selectors::kind(selectors::cpu)).chosen.size() == 1);
  CHECK(rank_devices(found, selectors::platform("fake")).chosen.size() == 3);
  CHECK(choose_devices(found, "fake").size() == 3);
  CHECK(choose_devices(found, "fake:0").at(0).device == whole);
  CHECK(choose_devices(found, "fake:1").at(0).device == devices[0]);
}

TEST_CASE("a part is described with the user's word on its driver's faults", "[.][partition_overrides]") {
  const FakeParts driver;

  const Device part = partition_equally(made(4, kAllWays), 2).at(0);

  CHECK(part.record().faults.max_fill_bytes == 4096u);
}

TEST_CASE("ANYCL_QUIRKS holds for parts too", "[device][partition]") {
  const auto result = test::run_hidden_test("[partition_overrides]", {"ANYCL_QUIRKS=max_fill_bytes=4K"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("child: parts of parts", "[.][partition_nested]") {
  std::size_t nested = 0;
  for (const Device& whole : divisible_devices()) {
    if (whole.capabilities().compute_units < 4 && whole.platform_alias() != "pocl") continue;
    const Device pair = partition_equally(whole, 2).at(0);
    const auto parts = partition_equally(pair, 1);
    REQUIRE(parts.size() == 2);
    CHECK(parts[1].parent() == pair);
    CHECK(parts[1].parent()->parent() == whole);
    CHECK(parts[1].id() == whole.id() + "/units-0-1/units-1-1");
    ++nested;
  }
  if (const char* platform = std::getenv("ANYCL_TEST_PLATFORM"); platform != nullptr && platform == std::string("pocl"))
    CHECK(nested > 0);
}

TEST_CASE("a part can be divided again where the driver can", "[device][partition]") {
  const auto result = test::run_hidden_test("[partition_nested]", {"POCL_MAX_PTHREAD_COUNT=4"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
}

TEST_CASE("child: parts that outlive their driver", "[.][partition_late]") {
  test::leave_objects_behind();
  test::look_for_no_leaks();
  for (const Device& whole : divisible_devices()) late_part = partition_equally(whole, 1).at(0);
}

TEST_CASE("no part is given back while the process ends", "[device][partition]") {
  auto variables = test::under_layer("late");
  const auto result = test::run_hidden_test("[partition_late]", variables);
  INFO(result.output);
  CHECK(result.signal == 0);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a forked child gives no part back, and makes none", "[device][partition]") {
  const FakeParts driver;
  std::optional<std::vector<Device>> parts = partition_equally(made(4, kAllWays), 2);
  static_cast<void>(detail::entry_points());

  const int code = test::in_forked_child([&] {
    parts.reset();
    return static_cast<int>(FakeParts::released.size());
  });

  CHECK(code == 0);
  parts.reset();
  CHECK(FakeParts::released.size() == 2);
}
