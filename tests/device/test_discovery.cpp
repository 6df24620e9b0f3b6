// Needs: a driver with threads
#include <CL/cl_ext.h>

#include <array>
#include <atomic>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "anycl/base/error.hpp"
#include "anycl/context/context.hpp"
#include "anycl/device/device.hpp"
#include "anycl/device/selection.hpp"
#include "device/device_record.hpp"
#include "device/fake_machine.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"

using namespace anycl;
using test::FakeDevice;
using test::FakeMachine;
using test::FakePlatform;
using test::plain_device;

namespace {

/// The only device of a machine that has just this one.
Device discovered(FakeDevice device, const std::string& platform = "Fake") {
  const FakeMachine machine({{platform, {std::move(device)}}});
  return discover().devices().at(0);
}

std::string error_text(const Discovery& discovery, std::string_view selection = {}) {
  try {
    static_cast<void>(choose_devices(discovery, selection));
  } catch (const NoDevice& error) {
    return error.what();
  }
  return "no error";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The table in force, but what it counts of devices goes through `change`, which is told whether the call lists them too.
detail::EntryPoints miscounting(void (*change)(bool lists, cl_uint& count)) {
  static detail::EntryPoints before;
  static void (*change_in_force)(bool, cl_uint&);
  before = detail::entry_points();
  change_in_force = change;
  detail::EntryPoints table = before;
  table.clGetDeviceIDs = [](cl_platform_id id, cl_device_type type, cl_uint size, cl_device_id* ids,
                            cl_uint* count) -> cl_int {
    const cl_int code = before.clGetDeviceIDs(id, type, size, ids, count);
    if (count != nullptr) change_in_force(ids != nullptr, *count);
    return code;
  };
  return table;
}

}  // namespace

TEST_CASE("a machine without platforms gives an empty list, and choosing says why", "[device][discovery][OCL-002]") {
  const auto code = GENERATE(-1001, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY, -12345);
  const FakeMachine machine({}, code);

  const Discovery found = discover();

  CHECK(found.platforms.empty());
  CHECK(found.devices().empty());
  CHECK(holds(error_text(found), "no OpenCL platform: "));
  CHECK_THROWS_AS(Context(), NoDevice);
}

TEST_CASE("a loader that refuses to tell its platforms is told with its code", "[device][discovery][OCL-002]") {
  const FakeMachine machine({}, CL_OUT_OF_HOST_MEMORY);

  CHECK(discover().warnings ==
        std::vector<std::string>{"the OpenCL loader does not tell its platforms: CL_OUT_OF_HOST_MEMORY (-6)"});
}

TEST_CASE("platforms of one name have one order, whatever the loader's", "[device][discovery][OCL-010]") {
  const FakePlatform one{"Twin", {plain_device("one")}}, two{"Twin", {plain_device("two")}};

  for (const auto& order : {std::vector<FakePlatform>{one, two}, std::vector<FakePlatform>{two, one}}) {
    const FakeMachine machine(order);
    const auto devices = discover().devices();
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].name() == "one");
    CHECK(devices[1].name() == "two");
  }
}

TEST_CASE("no two devices of a driver have one id", "[device][discovery][OCL-029]") {
  const FakePlatform twins{"Twin", {plain_device("same"), plain_device("same")}};
  const FakeMachine machine({twins, twins});

  std::set<std::string> ids;
  for (const Device& device : discover().devices()) ids.insert(device.id());

  CHECK(ids == std::set<std::string>{"twin-same-0", "twin-same-1", "twin-same-0#1", "twin-same-1#1"});
}

TEST_CASE("names that would drive a terminal are made plain", "[device][discovery][OCL-025]") {
  const FakeMachine machine({{"Plat\nform",
                              {plain_device("a\u009b32m\x9b"
                                            "31m\x1b[0m\xff")}}});

  const Discovery found = discover();

  CHECK(found.platforms.at(0).name == "Plat?form");
  CHECK(found.devices().at(0).name() == "a?32m?31m?[0m?");
}

TEST_CASE("threads that look for the first time at once all see the same", "[device][discovery]") {
  const auto child = test::run_hidden_test("[first_looks]");
  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("child: looks in many threads at once", "[.][first_looks]") {
  constexpr std::size_t kThreads = 8;
  std::vector<std::size_t> found(kThreads);
  std::vector<std::thread> threads;
  std::atomic<bool> start{false};
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      while (!start) std::this_thread::yield();
      found[t] = discover().devices().size();
    });
  start = true;
  for (std::thread& thread : threads) thread.join();

  CHECK(found == std::vector<std::size_t>(kThreads, discover().devices().size()));
  CHECK(found.front() > 0);
}

TEST_CASE("zero platforms without an error is an empty list too", "[device][discovery][OCL-007]") {
  const FakeMachine machine({});
  const auto answers_zero = [](cl_uint, cl_platform_id*, cl_uint* count) -> cl_int {
    if (count != nullptr) *count = 0;
    return CL_SUCCESS;
  };
  detail::EntryPoints table = detail::entry_points();
  table.clGetPlatformIDs = answers_zero;
  const detail::ScopedEntryPoints scope(table);

  CHECK(discover().platforms.empty());
}

TEST_CASE("a platform without devices survives, with one warning", "[device][discovery][OCL-007][OCL-008][OCL-016]") {
  const auto [refusal, what] = GENERATE(table<cl_int, std::string>({
      {CL_DEVICE_NOT_FOUND, "has no device"},
      {CL_INVALID_VALUE, "does not tell its devices: CL_INVALID_VALUE (-30)"},
      {CL_OUT_OF_HOST_MEMORY, "does not tell its devices: CL_OUT_OF_HOST_MEMORY (-6)"},
  }));
  const FakeMachine machine({{"Empty", {}, refusal}, {"Good", {plain_device("card")}}, {"Bare", {}, refusal}});

  const Discovery found = discover();

  CHECK(found.platforms.size() == 3);
  CHECK(found.devices().size() == 1);
  CHECK(found.warnings == std::vector<std::string>{"platform 'Bare' " + what, "platform 'Empty' " + what});
  CHECK(choose_devices(found).at(0).device.name() == "card");
}

TEST_CASE("platforms with no device at all give an error that names them", "[device][discovery][OCL-016]") {
  const FakeMachine machine({{"Empty", {}}, {"Bare", {}}});

  CHECK(error_text(discover()) == "no OpenCL device: platform 'Bare' has no device; platform 'Empty' has no device");
}

TEST_CASE("a count that shrinks or grows between two calls is not believed", "[device][discovery][OCL-008]") {
  static std::size_t second_count = 0;
  second_count = GENERATE(as<std::size_t>{}, 0, 1, 2, 3000000000);
  const FakeMachine machine({{"Good", {plain_device("one"), plain_device("two")}}});
  const auto table = miscounting([](bool lists, cl_uint& count) {
    if (lists) count = static_cast<cl_uint>(second_count);
  });
  const detail::ScopedEntryPoints scope(table);

  CHECK(discover().devices().size() == std::min<std::size_t>(second_count, 2));
}

TEST_CASE("a count that no machine has, or that has no devices behind it, gives the devices there are",
          "[device][discovery][OCL-008]") {
  static cl_uint claimed = 0;
  claimed = GENERATE(as<cl_uint>{}, 3, 4096, 4097, test::kPoison, 0xFFFFFFFF);
  const FakeMachine machine({{"Good", {plain_device("one"), plain_device("two")}}});
  const auto table = miscounting([](bool, cl_uint& count) { count = claimed; });
  const detail::ScopedEntryPoints scope(table);

  CHECK(discover().devices().size() == (claimed <= 4096 ? 2 : 0));
}

TEST_CASE("texts of ten thousand characters come whole", "[device][discovery][OCL-026]") {
  const std::string name(10000, 'n');
  std::string extensions;
  for (int i = 0; i < 1000; ++i) extensions += "cl_ext_number_" + std::to_string(i) + ' ';

  const Device device = discovered(plain_device(name).text(CL_DEVICE_EXTENSIONS, extensions));

  CHECK(device.name() == name);
  CHECK(device.capabilities().extensions.size() == 1000);
  CHECK(device.capabilities().has_extension("cl_ext_number_999"));
  CHECK_FALSE(device.capabilities().has_extension("cl_ext_number_1000"));
  CHECK_FALSE(device.capabilities().has_extension("cl_ext_number"));
}

TEST_CASE("a name the driver refuses to give is replaced, never made of stack bytes", "[device][discovery][OCL-025]") {
  FakeDevice nameless = plain_device("card");
  nameless.answers.erase(CL_DEVICE_NAME);
  nameless.answers.erase(CL_DEVICE_VENDOR);
  nameless.answers.erase(CL_DRIVER_VERSION);

  const FakeMachine machine({{"Fake", {plain_device("other"), nameless}}});

  const Discovery found = discover();

  const Device device = found.devices().at(1);
  CHECK(found.warnings == std::vector<std::string>{"platform 'Fake': device 1 does not tell its name"});
  CHECK(device.name() == "unnamed device 1");
  CHECK(device.vendor().empty());
  CHECK(device.driver_version().empty());
}

TEST_CASE("odd texts are cleaned at their ends", "[device][discovery][OCL-025]") {
  CHECK(discovered(plain_device("  a card \t\n")).name() == "a card");
  CHECK(discovered(plain_device(std::string("cut\0rest", 8))).name() == "cut");
  CHECK(discovered(plain_device("   ")).name() == "unnamed device 0");
  CHECK(discovered(plain_device("")).name() == "unnamed device 0");
}

TEST_CASE("a driver that answers only what OpenCL 1.0 asks for is usable", "[device][discovery][OCL-028]") {
  const Device device = discovered(plain_device("old card"));

  const Capabilities& facts = device.capabilities();
  CHECK(device.kind() == DeviceKind::discrete_gpu);
  CHECK(facts.opencl_version == "OpenCL 1.0 fake");
  CHECK(facts.opencl_c_version.empty());
  CHECK(facts.max_group_size == 1);
  CHECK(facts.max_item_sizes == std::array<std::size_t, 3>{1, 1, 1});
  CHECK(facts.local_memory_bytes == 0);
  CHECK_FALSE(facts.timestamps_trusted);
  CHECK_FALSE(facts.fp64);
}

TEST_CASE("the driver under test works with every newer query refused", "[device][discovery][OCL-028]") {
  static_cast<void>(test::shared_context());  // fails here when the driver is missing
  const test::Faults faults([](detail::EntryPoints& table) {
    table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value,
                               size_t* size_ret) -> cl_int {
      const bool newer_than_1_1 = what > CL_DEVICE_OPENCL_C_VERSION;
      if (newer_than_1_1) return CL_INVALID_VALUE;
      return test::real_driver().clGetDeviceInfo(id, what, size, value, size_ret);
    };
  });

  const auto devices = discover().devices();

  REQUIRE_FALSE(devices.empty());
  Context context{devices};
  Queue queue(context, context.device());
  queue.finish();
}

TEST_CASE("an answer of the wrong size counts as none", "[device][discovery][OCL-025]") {
  const Device device = discovered(plain_device("card")
                                       .value<std::uint16_t>(CL_DEVICE_MAX_COMPUTE_UNITS, 9)
                                       .value<std::uint32_t>(CL_DEVICE_GLOBAL_MEM_SIZE, 1)
                                       .value<std::array<size_t, 2>>(CL_DEVICE_MAX_WORK_ITEM_SIZES, {64, 32}));

  CHECK(device.capabilities().compute_units == 0);
  CHECK(device.capabilities().global_memory_bytes == 0);
  CHECK(device.capabilities().max_item_sizes == std::array<std::size_t, 3>{64, 32, 1});
}

TEST_CASE("a size of zero in a limit is read as one", "[device][discovery]") {
  const Device device = discovered(plain_device("card")
                                       .value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE, 0)
                                       .value<std::array<size_t, 3>>(CL_DEVICE_MAX_WORK_ITEM_SIZES, {0, 0, 0}));

  CHECK(device.capabilities().max_group_size == 1);
  CHECK(device.capabilities().max_item_sizes == std::array<std::size_t, 3>{1, 1, 1});
}

TEST_CASE("a stable id is the UUID, else the PCI place, else platform, name and ordinal",
          "[device][discovery][OCL-029]") {
  std::array<unsigned char, CL_UUID_SIZE_KHR> uuid{};
  uuid[0] = 0xab;
  uuid[15] = 0x01;
  const cl_device_pci_bus_info_khr place{1, 2, 3, 4};
  const std::string both = "cl_khr_device_uuid cl_khr_pci_bus_info";

  SECTION("all known") {
    CHECK(discovered(plain_device("card")
                         .text(CL_DEVICE_EXTENSIONS, both)
                         .value(CL_DEVICE_UUID_KHR, uuid)
                         .value(CL_DEVICE_PCI_BUS_INFO_KHR, place))
              .id() == "uuid-ab000000000000000000000000000001");
  }
  SECTION("the UUID is promised and refused") {
    CHECK(discovered(plain_device("card").text(CL_DEVICE_EXTENSIONS, both).value(CL_DEVICE_PCI_BUS_INFO_KHR, place))
              .id() == "pci-0001:02:03.4");
  }
  SECTION("the UUID is all zero") {
    CHECK(discovered(plain_device("card")
                         .text(CL_DEVICE_EXTENSIONS, both)
                         .value(CL_DEVICE_UUID_KHR, std::array<unsigned char, CL_UUID_SIZE_KHR>{})
                         .value(CL_DEVICE_PCI_BUS_INFO_KHR, place))
              .id() == "pci-0001:02:03.4");
  }
  SECTION("both are promised and refused") {
    CHECK(discovered(plain_device("card").text(CL_DEVICE_EXTENSIONS, both), "Maker Driver").id() == "maker-card-0");
  }
  SECTION("neither is promised") { CHECK(discovered(plain_device("card"), "Maker Driver").id() == "maker-card-0"); }
}

TEST_CASE("two equal cards have two ids", "[device][discovery][OCL-029]") {
  const FakeMachine machine({{"Fake", {plain_device("card"), plain_device("card")}}});

  const auto devices = discover().devices();

  CHECK(devices.at(0).id() == "fake-card-0");
  CHECK(devices.at(1).id() == "fake-card-1");
}

TEST_CASE("the kind of a device follows from its type and memory", "[device][discovery]") {
  const auto unified = [](cl_bool yes) {
    return plain_device("gpu").value<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY, yes);
  };

  CHECK(discovered(unified(CL_TRUE)).kind() == DeviceKind::integrated_gpu);
  CHECK(discovered(unified(CL_FALSE)).kind() == DeviceKind::discrete_gpu);
  CHECK(discovered(plain_device("x", CL_DEVICE_TYPE_CPU)).kind() == DeviceKind::cpu);
  CHECK(discovered(plain_device("x", CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT)).kind() == DeviceKind::cpu);
  CHECK(discovered(plain_device("x", CL_DEVICE_TYPE_ACCELERATOR)).kind() == DeviceKind::accelerator);
  CHECK(discovered(plain_device("x", CL_DEVICE_TYPE_CPU), "Oclgrind").kind() == DeviceKind::emulator);
  CHECK(discovered(plain_device("x", CL_DEVICE_TYPE_ACCELERATOR), "Intel(R) FPGA Emulation Platform").kind() ==
        DeviceKind::emulator);
}

TEST_CASE("a maker's own words on where its GPU sits outweigh the shared memory", "[device][discovery]") {
  const auto nvidia = [](cl_bool integrated) {
    return plain_device("gpu")
        .text(CL_DEVICE_EXTENSIONS, "cl_nv_device_attribute_query")
        .value<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY, !integrated)
        .value<cl_bool>(CL_DEVICE_INTEGRATED_MEMORY_NV, integrated);
  };
  const auto at = [](cl_uint vendor, cl_uint bus) {
    return plain_device("gpu")
        .text(CL_DEVICE_EXTENSIONS, "cl_khr_pci_bus_info")
        .value<cl_uint>(CL_DEVICE_VENDOR_ID, vendor)
        .value(CL_DEVICE_PCI_BUS_INFO_KHR, cl_device_pci_bus_info_khr{0, bus, 2, 0});
  };

  CHECK(discovered(nvidia(CL_TRUE)).kind() == DeviceKind::integrated_gpu);
  CHECK(discovered(nvidia(CL_FALSE)).kind() == DeviceKind::discrete_gpu);
  CHECK(discovered(at(0x8086, 0)).kind() == DeviceKind::integrated_gpu);
  CHECK(discovered(at(0x8086, 3)).kind() == DeviceKind::discrete_gpu);
  CHECK(discovered(at(0x10de, 0)).kind() == DeviceKind::discrete_gpu);
}

TEST_CASE("known platforms have short names, others their first word", "[device][discovery]") {
  const auto [name, alias] = GENERATE(table<std::string, std::string>({
      {"Portable Computing Language", "pocl"},
      {"Intel(R) OpenCL Graphics", "intel"},
      {"Intel(R) OpenCL", "intel"},
      {"rusticl", "rusticl"},
      {"Clover", "clover"},
      {"NVIDIA CUDA", "nvidia"},
      {"AMD Accelerated Parallel Processing", "amd"},
      {"Oclgrind", "oclgrind"},
      {"Somebody Else", "somebody"},
      {"", "unnamed"},
  }));

  CHECK(discovered(plain_device("card"), name).platform_alias() == alias);
}

TEST_CASE("the order in which the loader lists platforms changes nothing", "[device][discovery][OCL-010]") {
  std::vector<FakePlatform> platforms{{"NVIDIA CUDA", {plain_device("big card")}},
                                      {"Portable Computing Language", {plain_device("cpu", CL_DEVICE_TYPE_CPU)}},
                                      {"Empty", {}},
                                      {"Intel(R) OpenCL", {plain_device("cpu", CL_DEVICE_TYPE_CPU)}}};
  const auto chosen_names = [&] {
    const FakeMachine machine(platforms);
    std::vector<std::string> names;
    for (const auto& chosen : choose_devices(discover())) names.push_back(chosen.device.platform_alias());
    for (const auto& platform : discover().platforms) names.push_back(platform.alias);
    return names;
  };

  const auto forwards = chosen_names();
  std::reverse(platforms.begin(), platforms.end());
  const auto backwards = chosen_names();

  CHECK(forwards == std::vector<std::string>{"nvidia", "intel", "empty", "intel", "nvidia", "pocl"});
  CHECK(backwards == forwards);
}

TEST_CASE("the driver under test tells what its users need to know", "[device][discovery]") {
  test::for_each_device([](test::Rig& rig) {
    const Capabilities& facts = rig.device.capabilities();

    CHECK_FALSE(rig.device.name().empty());
    CHECK_FALSE(rig.device.id().empty());
    CHECK_FALSE(rig.device.driver_version().empty());
    CHECK(facts.available);
    CHECK(facts.has_compiler);
    CHECK(facts.compute_units >= 1);
    CHECK(facts.max_group_size >= 1);
    CHECK(facts.max_allocation_bytes > 0);
    CHECK(facts.global_memory_bytes >= facts.max_allocation_bytes);
    CHECK(facts.local_memory_bytes >= 1024);
    CHECK((facts.address_bits == 32 || facts.address_bits == 64));
    CHECK(facts.opencl_version.starts_with("OpenCL "));
    CHECK(std::is_sorted(facts.extensions.begin(), facts.extensions.end()));
  });
}

TEST_CASE("known faults of a driver are in its devices' facts", "[device][discovery]") {
  test::for_each_device([](test::Rig& rig) {
    const Capabilities& facts = rig.device.capabilities();
    const bool llvmpipe =
        rig.device.platform_alias() == "rusticl" && rig.device.name().find("llvmpipe") != std::string::npos;

    CHECK(facts.max_loop_iterations.has_value() == llvmpipe);
    if (rig.device.platform_alias() == "rusticl") CHECK_FALSE(facts.timestamps_trusted);
  });
}

// What a process's loader finds is settled at its first OpenCL call, so each of these runs in a process of its own. The
// hidden tests print what they meet; the tests below them look at that.
TEST_CASE("prints what is found, for a process of its own", "[.][print_discovery]") {
  const Discovery found = discover();
  std::cout << "platforms " << found.platforms.size() << ", devices " << found.devices().size() << std::endl;
  std::cout << "error: " << error_text(found) << std::endl;
}

TEST_CASE("prints why there is no loader, for a process of its own", "[.][print_loader]") {
  try {
    std::cout << "loader " << discover().loader << std::endl;
  } catch (const NoDevice& error) {
    std::cout << "NoDevice: " << error.what() << std::endl;
  }
}

TEST_CASE("an empty driver folder is no error until a device is needed, then it is named",
          "[device][discovery][OCL-001]") {
  const test::Folder drivers;

  const auto child = test::run_hidden_test("[print_discovery]", {"OCL_ICD_VENDORS=" + drivers.path().string() + "/"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(holds(child.output, "platforms 0, devices 0\n"));
  CHECK(holds(child.output, "error: no OpenCL platform: no .icd file in " + drivers.path().string()));
}

TEST_CASE("a driver file that names a missing library is named with its reason", "[device][discovery][OCL-001]") {
  const test::Folder drivers;
  test::write_file(drivers.file("lost.icd"), "/nowhere/libLost.so\n");
  test::write_file(drivers.file("bare.icd"), "libNowhere.so.3\n");
  test::write_file(drivers.file("empty.icd"), "");

  const auto child = test::run_hidden_test("[print_discovery]", {"OCL_ICD_VENDORS=" + drivers.path().string() + "/"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(holds(child.output, "platforms 0, devices 0\n"));
  CHECK(holds(child.output, drivers.file("lost.icd") + ": /nowhere/libLost.so: cannot open"));
  CHECK(holds(child.output, drivers.file("bare.icd") + ": libNowhere.so.3: cannot open"));
  CHECK(holds(child.output, drivers.file("empty.icd") + ": is empty"));
}

TEST_CASE("a bad driver file beside a good one does no harm", "[device][discovery][OCL-004]") {
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  if (vendors == nullptr) ANYCL_SKIP("OCL_ICD_VENDORS does not say where the driver under test is");
  const test::Folder drivers;
  namespace fs = std::filesystem;
  if (fs::is_directory(vendors))
    for (const auto& file : fs::directory_iterator(vendors)) fs::copy(file.path(), drivers.path());
  else
    fs::copy(vendors, drivers.path());
  test::write_file(drivers.file("aaa.icd"), "libNowhere.so.3\n");

  const auto child = test::run_hidden_test("[print_discovery]", {"OCL_ICD_VENDORS=" + drivers.path().string() + "/"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(holds(child.output, "error: no error"));
}

TEST_CASE("a loader that is no library is named, with the package that helps", "[device][discovery][OCL-005]") {
  const test::Folder libraries;
  test::write_file(libraries.file("libOpenCL.so.1"), "this is no library");

  const auto child = test::run_hidden_test("[print_loader]", {"LD_LIBRARY_PATH=" + libraries.path().string()});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(holds(child.output,
              "NoDevice: OpenCL loader libOpenCL.so.1 cannot be opened (" + libraries.file("libOpenCL.so.1") + ": "));
  CHECK(holds(child.output, "install the package ocl-icd-libopencl1"));
}

TEST_CASE("a loader without a symbol is named by path, with the symbol", "[device][discovery][OCL-005]") {
  const auto symbol = GENERATE(as<std::string>{}, "clGetPlatformIDs", "clEnqueueFillBuffer");
  const test::Folder libraries;
  // The loader in use with one name changed: it opens, but lacks that symbol.
  std::string library = test::read_file(discover().loader);
  const std::size_t at = library.find('\0' + symbol + '\0');
  REQUIRE(at != std::string::npos);
  library[at + symbol.size()] = '_';
  test::write_file(libraries.file("libOpenCL.so.1"), library);

  const auto child = test::run_hidden_test("[print_loader]", {"LD_LIBRARY_PATH=" + libraries.path().string()});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(holds(child.output,
              "NoDevice: OpenCL loader " + libraries.file("libOpenCL.so.1") + " lacks the symbol " + symbol + ": "));
}

TEST_CASE("the loader in use is named by its file", "[device][discovery]") {
  CHECK(holds(discover().loader, "libOpenCL"));
  CHECK(std::filesystem::exists(discover().loader));
}

TEST_CASE("platforms that are alike and have the same fault share a line", "[device][discovery]") {
  const FakeMachine machine({{"Fake", {}}, {"Other", {}}, {"Fake", {}}, {"Fake", {}}});

  CHECK(discover().warnings ==
        std::vector<std::string>{"platform 'Fake' has no device (3 times)", "platform 'Other' has no device"});
}
