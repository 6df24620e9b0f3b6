// Needs: no driver
#include "program/cache_key.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "device/device_record.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

using namespace anycl;
using detail::CacheKey;
using detail::DeviceRecord;
using detail::make_cache_key;

namespace {

DeviceRecord made_up_record() {
  DeviceRecord record;
  record.device = reinterpret_cast<cl_device_id>(std::uintptr_t{64});
  record.name = "card";
  record.capabilities.vendor_id = 0x10de;
  record.driver_version = "1.2.3";
  record.platform_name = "Portable Computing Language";
  record.platform_version = "OpenCL 3.0 made up";
  record.platform_alias = "pocl";
  record.kind = DeviceKind::discrete_gpu;
  record.capabilities.extensions = {"cl_khr_fp16", "cl_khr_fp64"};
  record.capabilities.opencl_version = "OpenCL 3.0";
  record.capabilities.opencl_c_version = "OpenCL C 1.2";
  record.capabilities.address_bits = 64;
  return record;
}

CacheKey key_of(const DeviceRecord& record, std::string_view source = "source", std::string_view options = "-O") {
  return make_cache_key("name.cl", source, options, Device(std::make_shared<DeviceRecord>(record)));
}

struct Change {
  const char* what;
  void (*apply)(DeviceRecord&);
};

}  // namespace

TEST_CASE("each fact that can change a build changes the key", "[program][cache_key][OCL-076][OCL-080]") {
  const auto change = GENERATE(values<Change>({
      {"driver version", [](DeviceRecord& r) { r.driver_version = "1.2.4"; }},
      {"device name", [](DeviceRecord& r) { r.name = "other card"; }},
      {"vendor", [](DeviceRecord& r) { r.capabilities.vendor_id = 0x8086; }},
      {"platform name", [](DeviceRecord& r) { r.platform_name = "Other"; }},
      {"platform version", [](DeviceRecord& r) { r.platform_version = "OpenCL 3.0 next"; }},
      {"extension gone", [](DeviceRecord& r) { r.capabilities.extensions = {"cl_khr_fp64"}; }},
      {"extension new", [](DeviceRecord& r) { r.capabilities.extensions.push_back("cl_khr_il_program"); }},
      {"extensions glued", [](DeviceRecord& r) { r.capabilities.extensions = {"cl_khr_fp16cl_khr_fp64"}; }},
      {"OpenCL version", [](DeviceRecord& r) { r.capabilities.opencl_version = "OpenCL 3.1"; }},
      {"OpenCL C version", [](DeviceRecord& r) { r.capabilities.opencl_c_version = "OpenCL C 3.0"; }},
      {"pointer width", [](DeviceRecord& r) { r.capabilities.address_bits = 32; }},
      {"host's instruction sets", [](DeviceRecord& r) { r.kind = DeviceKind::cpu; }},
  }));
  const CacheKey before = key_of(made_up_record());
  DeviceRecord changed = made_up_record();

  change.apply(changed);

  CAPTURE(change.what);
  CHECK(key_of(changed).hex() != before.hex());
  CHECK(key_of(changed).fields != before.fields);
}

TEST_CASE("source and options change the key, and a border moved between them too", "[program][cache_key][OCL-080]") {
  const DeviceRecord record = made_up_record();

  const std::set<std::string> keys{key_of(record, "ab", "c").hex(), key_of(record, "a", "bc").hex(),
                                   key_of(record, "abc", "").hex(), key_of(record, "", "abc").hex(),
                                   key_of(record, "ab", "C").hex(), key_of(record, "ab ", "c").hex()};

  CHECK(keys.size() == 6);
}

TEST_CASE("the source's name is part of the key, and told on one line", "[program][cache_key]") {
  const Device device(std::make_shared<DeviceRecord>(made_up_record()));
  const CacheKey key = make_cache_key("odd\n\x1b name.cl", "text", "-O", device);

  CHECK(key.hex() != make_cache_key("name.cl", "text", "-O", device).hex());
  CHECK(key.hex() != make_cache_key("odd\n\x1b name.clt", "ext", "-O", device).hex());
  CHECK(detail::origin_of(key.fields)->source == "odd?? name.cl");
}

TEST_CASE("handles and facts of the moment do not change the key", "[program][cache_key][OCL-083]") {
  DeviceRecord later = made_up_record();
  later.device = reinterpret_cast<cl_device_id>(std::uintptr_t{128});
  later.platform = reinterpret_cast<cl_platform_id>(std::uintptr_t{256});
  later.id = "moved to another slot";
  later.capabilities.global_memory_bytes = 12345;
  later.capabilities.clock_mhz = 800;
  later.capabilities.available = true;

  CHECK(key_of(later).hex() == key_of(made_up_record()).hex());
  CHECK(key_of(later).fields == key_of(made_up_record()).fields);
}

TEST_CASE("variables that steer the driver's compiler change the key, others do not", "[program][cache_key]") {
  const std::string before = key_of(made_up_record()).hex();
  const auto with = [&](const char* name, const std::string& alias) {
    const test::Variable variable(name, "anything");
    DeviceRecord record = made_up_record();
    record.platform_alias = alias;
    return key_of(record).hex();
  };

  CHECK(with("POCL_MAX_PTHREAD_COUNT", "pocl") != before);
  CHECK(with("POCL_CACHE_DIR", "pocl") == before);
  CHECK(with("POCL_DEBUG", "pocl") == before);
  CHECK(with("CL_CONFIG_USE_VECTORIZER", "pocl") == before);
  CHECK(with("CL_CONFIG_USE_VECTORIZER", "intel") != before);
  CHECK(with("LP_NUM_THREADS", "rusticl") != before);
  CHECK(with("RUSTICL_ENABLE", "rusticl") == before);
}

TEST_CASE("a key is 64 hexadecimal digits and the same each time", "[program][cache_key]") {
  const std::string name = key_of(made_up_record()).hex();

  CHECK(name.size() == 64);
  CHECK(name.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(name == key_of(made_up_record()).hex());
}
