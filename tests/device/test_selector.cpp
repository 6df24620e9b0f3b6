// Needs: no driver
#include "anycl/device/selector.hpp"

#include <optional>
#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "anycl/device/selection.hpp"
#include "device/made_devices.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

using namespace anycl;
using namespace anycl::literals;
using namespace anycl::selectors;
using Catch::Matchers::Contains;
using test::Made;

namespace {

using Names = std::vector<std::string>;

Capabilities facts_with(std::uint64_t memory, bool doubles, bool halves = false) {
  Capabilities facts;
  facts.global_memory_bytes = memory;
  facts.max_allocation_bytes = memory / 4;
  facts.local_memory_bytes = 32_KiB;
  facts.max_group_size = 256;
  facts.fp64 = doubles;
  facts.fp16 = halves;
  facts.opencl_version = "OpenCL 3.0";
  facts.opencl = Version{3, 0};
  facts.extensions = {"cl_khr_fp64", "cl_khr_icd"};
  return facts;
}

Discovery machine() {
  const auto platform = [](const std::string& name, const std::string& alias, std::vector<Device> devices) {
    return Platform{name, "", "", alias, std::move(devices)};
  };
  const auto card = [](const std::string& name, std::uint32_t units, const Capabilities& facts) {
    return test::device_of({"NVIDIA CUDA", "nvidia", DeviceKind::discrete_gpu, name, units}, facts);
  };
  const auto cpu = [](const std::string& name, const std::string& alias, std::uintptr_t handle) {
    return test::device_of({name, alias, DeviceKind::cpu, alias + " cpu"}, facts_with(16_GiB, true, alias == "intel"),
                           handle);
  };
  Discovery discovery;
  discovery.platforms = {
      platform("NVIDIA CUDA", "nvidia",
               {card("big", 80, facts_with(24_GiB, true)), card("small", 20, facts_with(4_GiB, false))}),
      platform("Intel(R) OpenCL", "intel", {cpu("Intel(R) OpenCL", "intel", 2)}),
      platform("Portable Computing Language", "pocl", {cpu("Portable Computing Language", "pocl", 3)}),
      platform(
          "Oclgrind", "oclgrind",
          {test::device_of({"Oclgrind", "oclgrind", DeviceKind::emulator, "simulator"}, facts_with(1_GiB, true), 4)}),
  };
  return discovery;
}

Names chosen(const Selector& selector) {
  const test::Variable unset("ANYCL_DEVICES", std::nullopt);
  Names names;
  for (const auto& entry : rank_devices(machine(), selector).chosen) names.push_back(entry.device.name());
  return names;
}

std::string refusal(const Selector& selector) {
  const test::Variable unset("ANYCL_DEVICES", std::nullopt);
  try {
    static_cast<void>(choose_devices(machine(), selector));
  } catch (const NoDevice& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("conditions compose", "[device][selector]") {
  CHECK(chosen(kind(gpu)) == Names{"big", "small"});
  CHECK(chosen(kind(gpu) && fp64) == Names{"big"});
  CHECK(chosen(kind(gpu) && !Selector(fp64)) == Names{"small"});
  CHECK(chosen(kind(gpu) && fp64 && memory_at_least(4_GiB)) == Names{"big"});
  CHECK(chosen(kind(gpu) || kind(cpu)) == Names{"big", "small", "intel cpu"});
  CHECK(chosen(!(kind(cpu) || name("big"))) == Names{"small"});
  CHECK(chosen(fp16 && fp64) == Names{"intel cpu"});
  CHECK(chosen(!fp64) == Names{"small"});
}

TEST_CASE("each condition lets through what meets it and nothing else", "[device][selector]") {
  const auto& [selector, want] = GENERATE(table<Selector, Names>({
      {memory_at_least(4_GiB), {"big", "small", "intel cpu"}},
      {memory_at_least(4_GiB + 1), {"big", "intel cpu"}},
      {allocation_at_least(4_GiB), {"big", "intel cpu"}},
      {local_memory_at_least(32_KiB), {"big", "small", "intel cpu"}},
      {local_memory_at_least(32_KiB + 1), {}},
      {group_size_at_least(256), {"big", "small", "intel cpu"}},
      {group_size_at_least(257), {}},
      {compute_units_at_least(20), {"big", "small"}},
      {compute_units_at_least(21), {"big"}},
      {opencl_at_least(3), {"big", "small", "intel cpu"}},
      {opencl_at_least(3, 1), {}},
      {extension("cl_khr_fp64"), {"big", "small", "intel cpu"}},
      {extension("cl_khr_none"), {}},
      {kind(discrete), {"big", "small"}},
      {kind(integrated), {}},
      {kind(accelerator), {}},
      {platform("NVIDIA*"), {"big", "small"}},
      {name("B?G"), {"big"}},
      {matching("nvidia:gpu,!small"), {"big"}},
      {matching("cpu"), {"intel cpu", "pocl cpu"}},
      {matching("!nvidia"), {"intel cpu"}},  // what is not left out is not asked for by name
      {matching("!intel,!nvidia"), {"pocl cpu"}},
      {Selector("even name", [](const Device& device) { return device.name().size() % 2 == 0; }), {"pocl cpu"}},
  }));
  CAPTURE(selector.to_string());

  CHECK(chosen(selector) == want);
}

TEST_CASE("an emulator is used when its kind, platform or name is asked for, and else never", "[device][selector]") {
  CHECK(chosen(kind(emulator)) == Names{"simulator"});
  CHECK(chosen(platform("oclgrind")) == Names{"simulator"});
  CHECK(chosen(name("sim*") && fp64) == Names{"simulator"});
  CHECK(chosen(!kind(gpu)) == Names{"intel cpu"});
  CHECK(chosen(kind(gpu) || memory_at_least(1)) == Names{"big", "small", "intel cpu"});
}

TEST_CASE("a slower driver of the same processor is used when it is named", "[device][selector]") {
  CHECK(chosen(kind(cpu)) == Names{"intel cpu"});
  CHECK(chosen(kind(cpu) && !Selector(fp16)) == Names{"pocl cpu"});
  CHECK(chosen(platform("pocl")) == Names{"pocl cpu"});
  CHECK(chosen(platform("pocl") || platform("intel")) == Names{"intel cpu", "pocl cpu"});
}

TEST_CASE("nothing that meets it is an error that says of each device what it does not meet",
          "[device][selector][OCL-014]") {
  const std::string text = refusal(kind(gpu) && fp64 && memory_at_least(64_GiB));

  CHECK_THAT(text, Contains("nvidia 'big' (not memory_at_least(64 GiB), has 24 GiB)"));
  CHECK_THAT(text, Contains("nvidia 'small' (not fp64)"));
  CHECK_THAT(text, Contains("pocl 'pocl cpu' (not kind(gpu), has kind cpu)"));
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("ANYCL_DEVICES is a mask for conditions too, and keeps its order", "[device][selector]") {
  const auto under = [](const std::string& mask, const Selector& selector) {
    const test::Variable variable("ANYCL_DEVICES", mask);
    Names names;
    for (const auto& entry : rank_devices(machine(), selector).chosen) names.push_back(entry.device.name());
    return names;
  };

  CHECK(under("pocl,small,big", fp64) == Names{"pocl cpu", "big"});
  CHECK(under("!big", kind(gpu)) == Names{"small"});
  CHECK(under("oclgrind", fp64) == Names{"simulator"});
  CHECK(under("pocl", kind(gpu)).empty());
}

TEST_CASE("a condition reads as it was written", "[device][selector]") {
  CHECK((kind(gpu) && fp64 && memory_at_least(4_GiB)).to_string() == "kind(gpu) && fp64 && memory_at_least(4 GiB)");
  CHECK(((kind(gpu) || kind(cpu)) && !(fp16 && images)).to_string() == "(kind(gpu) || kind(cpu)) && !(fp16 && images)");
  CHECK(name("a b").to_string() == "name('a b')");
}

TEST_CASE("malformed conditions are refused when they are made", "[device][selector]") {
  CHECK_THROWS_AS(matching("a:b:c:d"), InvalidArgument);
  CHECK_THROWS_WITH(matching("nvidia:0"), Contains("'nvidia:0' has an index, which counts only in a list of devices"));
  CHECK_THROWS_AS(kind(static_cast<Kinds>(99)), InvalidArgument);
  CHECK_THROWS_AS(Selector("", [](const Device&) { return true; }), InvalidArgument);
  CHECK_THROWS_AS(Selector("nothing", nullptr), InvalidArgument);
}
