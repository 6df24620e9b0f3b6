// Needs: a driver with threads
#include "anycl/device/capabilities.hpp"

#include <CL/cl_ext.h>

#include <array>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "anycl/device/device.hpp"
#include "device/fake_machine.hpp"
#include "device/version_text.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"

using namespace anycl;
using test::FakeDevice;
using test::FakeMachine;
using test::plain_device;

namespace {

constexpr cl_device_info kSingleAtomics = 0x4231;

/// The only device of a machine that has just this one.
Device discovered(FakeDevice device, const std::string& platform = "Fake") {
  const FakeMachine machine({{platform, {std::move(device)}}});
  return discover().devices().at(0);
}

Capabilities facts_of(FakeDevice device) { return discovered(std::move(device)).capabilities(); }

FakeDevice device_of_version(const std::string& version, const std::string& extensions = "") {
  return plain_device("card").text(CL_DEVICE_VERSION, version).text(CL_DEVICE_EXTENSIONS, extensions);
}

cl_name_version named(const std::string& name, cl_version version) {
  cl_name_version entry{};
  entry.version = version;
  name.copy(entry.name, sizeof entry.name);
  return entry;
}

/// What a machine's devices are asked while the body runs.
std::set<cl_device_info> queries_of(const FakeDevice& device) {
  static std::set<cl_device_info> asked;
  static detail::EntryPoints before;
  const FakeMachine machine({{"Fake", {device}}});
  before = detail::entry_points();
  asked.clear();
  detail::EntryPoints table = before;
  table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value, size_t* size_ret) {
    asked.insert(what);
    return before.clGetDeviceInfo(id, what, size, value, size_ret);
  };
  const detail::ScopedEntryPoints scope(table);
  static_cast<void>(discover());
  return asked;
}

/// Facts of the device under test as one text, to compare.
std::string optional_facts(const Capabilities& facts) {
  std::string known;
  const auto note = [&](const char* name, bool is_known) {
    if (is_known) known += std::string(name) + ' ';
  };
  note("versions", facts.opencl || facts.opencl_c || !facts.extension_versions.empty());
  note("languages", !facts.c_features.empty() || !facts.intermediate_languages.empty());
  note("identity", facts.vendor_id || facts.uuid || facts.pci_place);
  note("groups", facts.preferred_group_multiple || facts.non_uniform_groups || facts.sub_groups);
  note("queues", facts.queues.out_of_order || facts.queues.profiling || facts.queues.on_device);
  note("partitioning", facts.partitioning.has_value());
  note("timer", facts.timer_resolution_ns.has_value() || facts.timestamps_trusted);
  note("caches", facts.cache_bytes || facts.cache_line_bytes || facts.max_constant_bytes || facts.max_parameter_bytes);
  note("memory", facts.base_alignment_bytes || facts.local_memory_dedicated || facts.error_correction);
  note("shared", facts.svm || facts.usm || facts.little_endian);
  note("images", facts.images || facts.image_limits);
  note("widths", facts.preferred_vector_widths.fp32 || facts.native_vector_widths.fp32);
  note("sizes", facts.global_memory_bytes + facts.max_allocation_bytes + facts.local_memory_bytes > 0);
  note("limits", facts.max_group_size > 1 || facts.compute_units + facts.clock_mhz + facts.address_bits > 0);
  return known;
}

}  // namespace

TEST_CASE("versions are found in what drivers write", "[device][capabilities]") {
  const auto [text, version] = GENERATE(table<std::string, std::optional<Version>>({
      {"OpenCL 3.0 CUDA 12.4.131", Version{3, 0}},
      {"OpenCL C 1.2 ", Version{1, 2}},
      {"550.54.14", Version{550, 54, 14}},
      {"3614.0 (HSA1.1,LC)", Version{3614, 0}},
      {"2024.17.3.0.08_160000", Version{2024, 17, 3}},
      {"22.3.6", Version{22, 3, 6}},
      {"Oclgrind 21.10", Version{21, 10}},
      {"3.", Version{3}},
      {"7", Version{7}},
      {"4294967295.1", Version{4294967295, 1}},
      {"4294967296.1", std::nullopt},
      {"1.99999999999", std::nullopt},
      {"no number", std::nullopt},
      {"", std::nullopt},
  }));

  CAPTURE(text);
  CHECK(detail::find_version(text) == version);
  CHECK(Version{1, 2} < Version{1, 10});
  CHECK(Version{0, 9, 3} < Version{1, 0});
}

TEST_CASE("versions, features and languages are lists with numbers", "[device][capabilities]") {
  const std::array all_c{named("OpenCL C", CL_MAKE_VERSION(1, 2, 0)), named("OpenCL C", CL_MAKE_VERSION(3, 0, 0)),
                         named("OpenCL C", CL_MAKE_VERSION(2, 0, 0))};
  const std::array extensions{named("cl_khr_command_buffer_mutable_dispatch", CL_MAKE_VERSION(0, 9, 3)),
                              named("cl_khr_command_buffer", CL_MAKE_VERSION(1, 0, 0)),
                              named(std::string(CL_NAME_VERSION_MAX_NAME_SIZE, 'x'), CL_MAKE_VERSION(1, 0, 0))};
  const std::array features{named("__opencl_c_subgroups", CL_MAKE_VERSION(3, 0, 0)),
                            named("__opencl_c_fp64", CL_MAKE_VERSION(3, 0, 0))};
  const std::array languages{named("SPIR-V", CL_MAKE_VERSION(1, 2, 0)), named("SPIR-V", CL_MAKE_VERSION(1, 0, 0))};

  const Capabilities facts = facts_of(device_of_version("OpenCL 3.0 fake")
                                          .text(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 fake")
                                          .value(CL_DEVICE_OPENCL_C_ALL_VERSIONS, all_c)
                                          .value(CL_DEVICE_EXTENSIONS_WITH_VERSION, extensions)
                                          .value(CL_DEVICE_OPENCL_C_FEATURES, features)
                                          .value(CL_DEVICE_ILS_WITH_VERSION, languages));

  CHECK(facts.opencl == Version{3, 0});
  CHECK(facts.opencl_c == Version{3, 0});
  CHECK(facts.opencl_c_versions == std::vector<Version>{{1, 2}, {2, 0}, {3, 0}});
  CHECK(facts.command_buffer_version == Version{1, 0});
  CHECK(facts.mutable_dispatch_version == Version{0, 9, 3});
  CHECK(facts.extension_version(std::string(CL_NAME_VERSION_MAX_NAME_SIZE, 'x')) == Version{1, 0});
  CHECK(facts.extension_version("cl_khr_command") == std::nullopt);
  CHECK(facts.has_c_feature("__opencl_c_fp64"));
  CHECK_FALSE(facts.has_c_feature("__opencl_c_fp"));
  CHECK(facts.intermediate_languages == std::vector<NamedVersion>{{"SPIR-V", {1, 0}}, {"SPIR-V", {1, 2}}});
}

TEST_CASE("without a list of OpenCL C versions it follows from the highest one", "[device][capabilities]") {
  const auto versions = [](const char* highest) {
    return facts_of(device_of_version("OpenCL 3.0").text(CL_DEVICE_OPENCL_C_VERSION, highest)).opencl_c_versions;
  };

  CHECK(versions("OpenCL C 1.1 old") == std::vector<Version>{{1, 0}, {1, 1}});
  CHECK(versions("OpenCL C 1.2 ") == std::vector<Version>{{1, 0}, {1, 1}, {1, 2}});
  CHECK(versions("OpenCL C 2.0 ") == std::vector<Version>{{1, 0}, {1, 1}, {1, 2}, {2, 0}});
  CHECK(versions("OpenCL C 3.1 ") == std::vector<Version>{{1, 0}, {1, 1}, {1, 2}, {3, 1}});
  CHECK(versions("").empty());
}

TEST_CASE("correct rounding of float division is a fact of its own", "[device][capabilities]") {
  const auto rounded = [](cl_device_fp_config config) {
    return facts_of(device_of_version("OpenCL 1.2").value(CL_DEVICE_SINGLE_FP_CONFIG, config))
        .correctly_rounded_divide_sqrt;
  };

  CHECK(rounded(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | CL_FP_INF_NAN));
  CHECK_FALSE(rounded(CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_DENORM));
  CHECK_FALSE(facts_of(device_of_version("OpenCL 1.2")).correctly_rounded_divide_sqrt);
}

TEST_CASE("languages of devices before OpenCL 3.0 are read from their text", "[device][capabilities]") {
  const std::vector<NamedVersion> both{{"SPIR-V", {1, 0}}, {"SPIR-V", {1, 2}}};
  const std::string text = "SPIR-V_1.2 SPIR-V_1.0 odd odd_";

  CHECK(facts_of(device_of_version("OpenCL 2.1").text(CL_DEVICE_IL_VERSION, text)).intermediate_languages == both);
  CHECK(facts_of(device_of_version("OpenCL 1.2", "cl_khr_il_program").text(CL_DEVICE_IL_VERSION, text))
            .intermediate_languages == both);
  CHECK(facts_of(device_of_version("OpenCL 1.2").text(CL_DEVICE_IL_VERSION, text)).intermediate_languages.empty());
}

TEST_CASE("an old device is asked for nothing that came after it", "[device][capabilities][OCL-028]") {
  const auto version = GENERATE(as<std::string>{}, "OpenCL 1.2 fake", "OpenCL 1.1", "OpenCL x", "");

  const auto asked = queries_of(device_of_version(version));

  for (const cl_device_info query : asked) {
    CAPTURE(query);
    CHECK(query <= CL_DEVICE_PRINTF_BUFFER_SIZE);
  }
}

TEST_CASE("extensions of makers are asked for where they are promised, and only there", "[device][capabilities]") {
  constexpr cl_device_info kFirstOfMakers = 0x4000;
  for (const cl_device_info query : queries_of(device_of_version("OpenCL 3.0"))) CHECK(query < kFirstOfMakers);

  const auto asked = queries_of(device_of_version(
      "OpenCL 3.0", "cl_ext_float_atomics cl_intel_unified_shared_memory cl_nv_device_attribute_query"));

  CHECK(asked.contains(kSingleAtomics));
  CHECK(asked.contains(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL));
  CHECK(asked.contains(CL_DEVICE_INTEGRATED_MEMORY_NV));
}

TEST_CASE("a device that refuses every query has no optional fact, whatever was left behind",
          "[device][capabilities][OCL-025][OCL-028]") {
  const auto version = GENERATE(as<std::string>{}, "", "OpenCL 3.0 fake");
  static std::string version_given;
  version_given = version;
  const FakeMachine machine({{"Fake", {plain_device("card")}}});
  detail::EntryPoints table = detail::entry_points();
  table.clGetDeviceInfo = [](cl_device_id, cl_device_info what, size_t size, void* value, size_t* size_ret) -> cl_int {
    constexpr int kStackByte = 0xCC;
    if (what == CL_DEVICE_VERSION && !version_given.empty()) {
      if (size_ret != nullptr) *size_ret = version_given.size();
      if (value != nullptr) std::memcpy(value, version_given.data(), size);
      return CL_SUCCESS;
    }
    if (size_ret != nullptr) std::memset(size_ret, kStackByte, sizeof *size_ret);
    if (value != nullptr) std::memset(value, kStackByte, size);
    return CL_INVALID_VALUE;
  };
  const detail::ScopedEntryPoints scope(table);

  const Device device = discover().devices().at(0);

  CHECK(device.name() == "unnamed device 0");
  CHECK(device.id() == "fake-unnamed device 0-0");
  CHECK(optional_facts(device.capabilities()) == (version.empty() ? "" : "versions "));
}

TEST_CASE("what OpenCL 2 makes a duty need not be told", "[device][capabilities]") {
  const Capabilities two = facts_of(device_of_version("OpenCL 2.0"));
  const Capabilities three = facts_of(device_of_version("OpenCL 3.0")
                                          .value<cl_bool>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_FALSE)
                                          .value<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 0));

  CHECK(two.non_uniform_groups == true);
  CHECK(two.queues.on_device == true);
  CHECK(three.non_uniform_groups == false);
  CHECK(three.queues.on_device == false);
  CHECK(facts_of(device_of_version("OpenCL 1.2")).non_uniform_groups == std::nullopt);
}

TEST_CASE("sub-groups are there when the device counts some, or an extension promises them",
          "[device][capabilities][OCL-152]") {
  const auto counting = [](const std::string& version, cl_uint most, const std::string& extensions = "") {
    return facts_of(device_of_version(version, extensions).value(CL_DEVICE_MAX_NUM_SUB_GROUPS, most)).sub_groups;
  };

  CHECK(counting("OpenCL 3.0", 8)->max_per_group == 8u);
  CHECK_FALSE(counting("OpenCL 3.0", 0));
  CHECK_FALSE(counting("OpenCL 3.0", 0, "cl_khr_subgroups"));
  CHECK(counting("OpenCL 2.1", 4)->max_per_group == 4u);
  CHECK_FALSE(counting("OpenCL 1.2", 8));
  CHECK(counting("OpenCL 2.0", 8, "cl_khr_subgroups")->max_per_group == std::nullopt);
  CHECK(facts_of(device_of_version("OpenCL 3.0", "cl_intel_subgroups cl_intel_required_subgroup_size")
                     .value<std::array<size_t, 3>>(CL_DEVICE_SUB_GROUP_SIZES_INTEL, {32, 8, 16}))
            .sub_groups->sizes == std::vector<std::size_t>{8, 16, 32});
}

TEST_CASE("a card's place is told by one of three queries", "[device][capabilities][OCL-029]") {
  const PciPlace wanted{0, 0x65, 2, 1};
  cl_device_topology_amd topology{};
  topology.pcie.type = CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD;
  topology.pcie.bus = 0x65;
  topology.pcie.device = 2;
  topology.pcie.function = 1;

  CHECK(facts_of(device_of_version("OpenCL 1.2", "cl_khr_pci_bus_info")
                     .value(CL_DEVICE_PCI_BUS_INFO_KHR, cl_device_pci_bus_info_khr{0, 0x65, 2, 1}))
            .pci_place == wanted);
  CHECK(facts_of(device_of_version("OpenCL 1.2", "cl_nv_device_attribute_query")
                     .value<cl_uint>(0x4008, 0x65)
                     .value<cl_uint>(0x4009, 2 << 3 | 1))
            .pci_place == wanted);
  CHECK(
      facts_of(device_of_version("OpenCL 1.2", "cl_amd_device_attribute_query").value(CL_DEVICE_TOPOLOGY_AMD, topology))
          .pci_place == wanted);
  CHECK_FALSE(facts_of(device_of_version("OpenCL 1.2", "cl_amd_device_attribute_query")
                           .value(CL_DEVICE_TOPOLOGY_AMD, cl_device_topology_amd{}))
                  .pci_place);
}

TEST_CASE("the width in which work-items go together has three sources", "[device][capabilities]") {
  const auto multiple = [](FakeDevice device) { return facts_of(std::move(device)).preferred_group_multiple; };

  CHECK(multiple(device_of_version("OpenCL 3.0").value<size_t>(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 16)) ==
        16u);
  CHECK(multiple(device_of_version("OpenCL 1.2", "cl_nv_device_attribute_query")
                     .value<cl_uint>(CL_DEVICE_WARP_SIZE_NV, 32)) == 32u);
  CHECK(multiple(device_of_version("OpenCL 2.0", "cl_amd_device_attribute_query")
                     .value<cl_uint>(CL_DEVICE_WAVEFRONT_WIDTH_AMD, 64)) == 64u);
  CHECK_FALSE(multiple(device_of_version("OpenCL 1.2")));
}

TEST_CASE("memory that host and device share is told by kind", "[device][capabilities]") {
  const Capabilities facts = facts_of(
      device_of_version("OpenCL 2.0", "cl_intel_unified_shared_memory")
          .value<cl_bitfield>(CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS)
          .value<cl_bitfield>(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL)
          .value<cl_bitfield>(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, 0));

  CHECK(facts.svm->coarse_grain_buffer);
  CHECK(facts.svm->atomics);
  CHECK_FALSE(facts.svm->fine_grain_buffer);
  CHECK_FALSE(facts.svm->fine_grain_system);
  CHECK(facts.usm->device);
  CHECK_FALSE(facts.usm->host);
  CHECK_FALSE(facts.usm->shared);
}

TEST_CASE("float atomics are told for the types that the device has", "[device][capabilities]") {
  constexpr cl_bitfield kGlobalAdd = 1u << 1;
  constexpr cl_bitfield kLocalMinMax = 1u << 18;
  const Capabilities facts = facts_of(device_of_version("OpenCL 3.0", "cl_ext_float_atomics cl_khr_int64_base_atomics")
                                          .value(kSingleAtomics, kGlobalAdd | kLocalMinMax)
                                          .value(kSingleAtomics + 1, kGlobalAdd));

  CHECK(facts.atomics.fp32->global_add);
  CHECK(facts.atomics.fp32->local_min_max);
  CHECK_FALSE(facts.atomics.fp32->local_add);
  CHECK_FALSE(facts.atomics.fp32->global_load_store);
  CHECK_FALSE(facts.atomics.fp64);
  CHECK(facts.atomics.int64_base);
  CHECK_FALSE(facts.atomics.int64_extended);
}

TEST_CASE("a device can be divided in the ways it names", "[device][capabilities]") {
  using Way = cl_device_partition_property;
  const auto partitioning = [](const std::array<Way, 3>& ways, cl_bitfield domains) {
    return facts_of(device_of_version("OpenCL 1.2")
                        .value(CL_DEVICE_PARTITION_PROPERTIES, ways)
                        .value<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4)
                        .value(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, domains))
        .partitioning;
  };

  const auto two = partitioning({CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, 0}, 0);
  CHECK(two->equally);
  CHECK(two->by_counts);
  CHECK_FALSE(two->by_numa_domain);
  CHECK(two->max_sub_devices == 4);
  CHECK(partitioning({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0}, CL_DEVICE_AFFINITY_DOMAIN_NUMA)->by_numa_domain);
  CHECK_FALSE(partitioning({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0}, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE));
  CHECK_FALSE(partitioning({0, 0, 0}, 0));
}

TEST_CASE("limits of images are told only where there are images", "[device][capabilities][OCL-151]") {
  const auto limits = [](cl_bool images) {
    return facts_of(device_of_version("OpenCL 1.2")
                        .value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT, images)
                        .value<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH, 100)
                        .value<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT, 50)
                        .value<size_t>(CL_DEVICE_IMAGE3D_MAX_WIDTH, 10)
                        .value<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 7)
                        .value<cl_uint>(CL_DEVICE_MAX_SAMPLERS, 16))
        .image_limits;
  };

  CHECK_FALSE(limits(CL_FALSE));
  CHECK(limits(CL_TRUE)->max_2d == std::array<std::size_t, 2>{100, 50});
  CHECK_FALSE(limits(CL_TRUE)->max_3d);  // not all of its sizes are known
  CHECK(limits(CL_TRUE)->max_array_layers == 7u);
  CHECK(limits(CL_TRUE)->max_samplers == 16u);
  CHECK_FALSE(limits(CL_TRUE)->max_buffer_pixels);
  CHECK_FALSE(limits(CL_TRUE)->max_read_write_arguments);
}

TEST_CASE("sizes are told in bytes, whatever the driver counts in", "[device][capabilities]") {
  const Capabilities facts = facts_of(device_of_version("OpenCL 1.2")
                                          .value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024)
                                          .value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 1 << 20)
                                          .value<cl_device_local_mem_type>(CL_DEVICE_LOCAL_MEM_TYPE, CL_GLOBAL));

  CHECK(facts.base_alignment_bytes == 128u);
  CHECK(facts.cache_bytes == std::uint64_t{1} << 20);
  CHECK(facts.local_memory_dedicated == false);
}

TEST_CASE("the drivers at hand tell what is known of them", "[device][capabilities]") {
  test::for_each_device([](test::Rig& rig) {
    const Capabilities& facts = rig.device.capabilities();
    const std::string& driver = rig.device.platform_alias();
    CAPTURE(driver, rig.device.name());

    CHECK(facts.opencl >= Version{3, 0});
    CHECK(facts.opencl_c >= Version{1, 2});
    CHECK(facts.platform_opencl >= Version{3, 0});
    CHECK(facts.vendor_id.has_value());
    CHECK(facts.base_alignment_bytes >= 16u);
    CHECK(facts.max_parameter_bytes >= 1024u);
    CHECK(facts.little_endian == true);
    CHECK(facts.queues.profiling == true);
    CHECK(facts.extension_version("cl_khr_icd").has_value() == facts.has_extension("cl_khr_icd"));
    CHECK(facts.image_limits.has_value() == facts.images);
    CHECK(facts.svm->coarse_grain_buffer == (driver == "pocl" || driver == "intel"));
    CHECK(facts.sub_groups.has_value() == (driver == "intel"));
    CHECK(facts.usm.has_value() == (driver == "intel"));
    if (facts.compute_units > 1) CHECK(facts.partitioning.has_value() == (driver == "pocl" || driver == "intel"));
    CHECK(facts.command_buffer_version == (driver == "pocl"    ? std::optional(Version{0, 9, 0})
                                           : driver == "intel" ? std::optional(Version{1, 0, 0})
                                                               : std::nullopt));
  });
}
